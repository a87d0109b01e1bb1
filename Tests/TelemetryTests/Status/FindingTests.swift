import Testing

@testable import Telemetry

@Suite struct FindingTests {
    private static let good = """
        # HELP causeboard_ready x
        causeboard_pending_writes 3
        causeboard_commit_under_way_seconds 0.01
        causeboard_standings_loaded 1
        causeboard_standings_rows 1000
        causeboard_database_waiting{pool="general"} 0
        causeboard_database_waiting{pool="ledger"} 0
        causeboard_stream_seconds_since_heartbeat 0.3
        causeboard_data_disk_bytes 1000
        causeboard_data_disk_free_bytes 500
        causeboard_disk_reserve_bytes 100
        causeboard_disk_reserve_reached 0
        causeboard_postgres_connections 9
        causeboard_postgres_connections_max 100
        causeboard_postgres_slot_wal_bytes 1
        causeboard_postgres_slot_wal_bytes_max 100
        causeboard_postgres_slots{state="lost"} 0
        causeboard_postgres_transaction_age 50
        causeboard_postgres_dead_rows{table="score"} 2e6
        causeboard_postgres_live_rows{table="score"} 9e6
        causeboard_certificate_valid_until_seconds 9e9
        """

    @Test("a good day has no trouble, and each trouble is told with what to do, and alone") func troubles() {
        let good = Finding.all(in: Scrape(Self.good), now: 1e9)
        #expect(good.count == 11 && good.allSatisfy { $0.isWell && $0.todo == nil && !$0.says.isEmpty })
        for (line, what) in [
            ("causeboard_data_disk_free_bytes 99", "disk"), ("causeboard_disk_reserve_reached 1", "room for players"),
            ("causeboard_commit_under_way_seconds 1.5", "commits"), ("causeboard_pending_writes 1000", "commits"),
            ("causeboard_commits_failing 1", "commits"),
            ("causeboard_postgres_connections 91", "PostgreSQL's connections"),
            (#"causeboard_database_waiting{pool="ledger"} 4"#, "connections of this server"),
            ("causeboard_standings_loaded 0", "standings"), ("causeboard_stream_seconds_since_heartbeat 2.1", "stream"),
            ("causeboard_postgres_slot_wal_bytes 51", "replication slots"),
            (#"causeboard_postgres_slots{state="lost"} 1"#, "replication slots"),
            ("causeboard_postgres_transaction_age 1e9", "transaction numbers"),
            (#"causeboard_postgres_dead_rows{table="score"} 1e7"#, "dead rows"),
            ("causeboard_certificate_valid_until_seconds 1000500000", "certificate"),
            ("causeboard_access_log_dropped_lines_total 1", "logs"),
        ] {
            let bad = Finding.all(in: Scrape(Self.good + "\n" + line), now: 1e9).filter { !$0.isWell }
            #expect(bad.map(\.what) == [what] && bad.allSatisfy { $0.todo != nil }, "\(line)")
        }
    }

    @Test("figures that are no numbers, and any other text, are no findings and end no process") func hostile() {
        #expect(Finding.all(in: Scrape("not a scrape\ncauseboard_\ncauseboard_x\n"), now: 0).isEmpty)
        for value in ["NaN", "+Inf", "-Inf", "1e300", "-1e300"] {
            let text = Self.good.split(separator: "\n").dropFirst().map {
                $0.prefix(through: $0.lastIndex(of: " ") ?? $0.startIndex) + value
            }.joined(separator: "\n")
            #expect(Finding.all(in: Scrape(text), now: 1e9).allSatisfy { !$0.says.isEmpty })
        }
    }

    @Test("the JSON of a finding has its texts quoted") func json() {
        let finding = Finding("a \"b\"", isWell: false, "c\n", todo: "d")
        #expect(finding.json == #"{"what":"a \"b\"","well":false,"says":"c\n","do":"d"}"#)
    }

    @Test("a trouble of the archive leaves the server ready, and each cause says what to do") func causes() {
        #expect(Finding.all(isReady: true, causes: []).map(\.isWell) == [true])
        let archive = Finding.all(isReady: true, causes: ["archive-failing", "archive-behind"])
        #expect(archive.map(\.what) == ["ready", "archive"] && archive.map(\.isWell) == [true, false])
        #expect(archive.last?.says == "archive-failing" && archive.last?.todo?.contains("archive") == true)
        #expect(Finding.all(isReady: true, causes: ["disk-reserve"]).map(\.isWell) == [true], "figures tell of it")
        let away = Finding.all(isReady: false, causes: ["database-away", "archive-behind"])
        #expect(away.map(\.says) == ["database-away", "archive-behind"] && away.allSatisfy { !$0.isWell })
        #expect(Finding.all(isReady: false, causes: []).map(\.isWell) == [false])
        for cause in ["former-primary", "archive-failing", "archive-behind", "archive-base-failing"] {
            #expect(Finding.all(isReady: false, causes: [cause]).last?.todo?.hasPrefix("See the log.") == false)
        }
    }
}
