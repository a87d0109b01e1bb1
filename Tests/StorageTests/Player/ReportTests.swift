import Domain
import TestDatabases
import Testing

@testable import Storage

/// What players report of each other, in any number.
@Suite struct ReportTests {
    @Test("all reports of a player are counted, the oldest and the newest keep their words, and few of these are shown")
    func bounds() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada")
            let kept = Int64(Limits.reportWordsKept)
            try await database.owner.script(
                """
                insert into player (id, game_id, name, registered_at)
                select 5000 + n, 1, 'P' || n, now() from generate_series(1, 300) n
                """)
            for number in 1...Int64(150) {
                let report = Report(.other, try ReportWords("words \(number)", field: "text"))
                let now = Instant.noon.advanced(bySeconds: number)
                let reporter = Player.ID(rawValue: 5_000 + number)
                #expect(try await database.store.add(report, of: ada, by: reporter, from: nil, now: now) == false)
                #expect(try await database.store.add(report, of: ada, by: reporter, from: nil, now: now) == true)
            }
            #expect(try await database.owner.ask("select count(text) from report") == ["\(kept)"])
            let half = kept / 2
            let words = try await database.owner.ask(
                "select substr(text, 7) from report where text is not null order by 1")
            #expect(Set(words) == Set((Array(1...half) + Array(151 - half...150)).map(String.init)))
            let item = try #require(try await database.store.admin.queue(.report, limitRows: 9, withWords: true).first)
            #expect(item.times == 150)
            #expect(item.words == (Array(1...10) + Array(141...150)).map { "words \($0)" })
        }
    }

    @Test("many reports from one network hide none from others, whichever came first") func networks() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada")
            try await database.owner.script(
                """
                insert into player (id, game_id, name, registered_at)
                select 5000 + n, 1, 'P' || n, now() from generate_series(1, 300) n
                """)
            let honest: [Int64: Int64?] = [1: 11, 120: 12, 130: nil, 250: 14]
            for number in 1...Int64(250) {
                let words = honest[number] == nil ? "flood" : "honest \(number)"
                let isKnown = try await database.store.add(
                    Report(.other, try ReportWords(words, field: "text")), of: ada,
                    by: Player.ID(rawValue: 5_000 + number), from: honest[number] ?? 7,
                    now: .noon.advanced(bySeconds: number))
                #expect(isKnown == false)
            }
            func item() async throws -> QueueItem? {
                try await database.store.admin.queue(.report, limitRows: 9, withWords: true).first
            }
            let waiting = try #require(try await item())
            #expect((waiting.times, waiting.sources) == (250, 5))
            #expect(waiting.words?.count == 20)
            #expect(
                waiting.words?.filter { $0.hasPrefix("honest") } == [
                    "honest 1", "honest 120", "honest 130", "honest 250",
                ])
            #expect(try await database.owner.ask("select count(text) from report") == ["\(Limits.reportWordsKept)"])

            try await database.moderate(.clearItem(waiting.item))
            let last = Report(.other, try ReportWords("after all", field: "text"))
            let reporter = Player.ID(rawValue: 5_300)
            #expect(try await database.store.add(last, of: ada, by: reporter, from: 7, now: .noon) == false)
            #expect(try await item()?.words == ["after all"])
        }
    }

    @Test("a report waits for no post of the one whom it is about, and comes too late for one who leaves") func locks()
        async throws
    {
        try await withTestDatabase { database in
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let report = Report(.other, try ReportWords("words", field: "text"))
            let holding = Task {
                try await database.owner.script(
                    """
                    begin;
                    select from wallet for update;
                    select pg_advisory_lock(77);
                    do $$ begin
                      for n in 1..3000 loop
                        if exists (select from report) then return; end if;
                        perform pg_sleep(0.01);
                      end loop;
                      raise exception 'the report waits';
                    end $$;
                    commit
                    """)
            }
            for _ in 0..<3_000 {
                let held = try await database.owner.ask("select count(*) from pg_locks where locktype = 'advisory'")
                if held != ["0"] { break }
            }
            #expect(try await database.store.add(report, of: ada, by: bob, from: nil, now: .noon) == false)
            try await holding.value
            try await database.moderate(.erase(bob, confirming: "Bob"))
            #expect(try await database.owner.ask("select count(*) from report") == ["0"])
            #expect(
                try await database.store.add(report, of: ada, by: bob, from: nil, now: .noon) == nil,
                "the reporter has left")
            try await database.moderate(.erase(ada, confirming: "Ada"))
            let cy = try await database.addPlayer("Cy")
            #expect(try await database.store.add(report, of: ada, by: cy, from: nil, now: .noon) == nil)
        }
    }
}
