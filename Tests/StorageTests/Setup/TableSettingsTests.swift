import Domain
import Foundation
import Postgres
import Statements
import TestDatabases
import Testing

@testable import Storage

/// How autovacuum treats each table, and how full its pages are made.
@Suite struct TableSettingsTests {
    private static let updated = """
        fillfactor=90 autovacuum_vacuum_scale_factor=0.05 autovacuum_analyze_scale_factor=0.05
        """
    private static let added = """
        autovacuum_vacuum_insert_scale_factor=0 autovacuum_vacuum_insert_threshold=500000 \
        autovacuum_freeze_min_age=0 autovacuum_analyze_scale_factor=0.02
        """

    /// All tables. Who makes a new one says here what it grows by and what bounds it, and the article Data kept too.
    private static let settings: [String: String] = [
        // A row changes with each post.
        "wallet": updated, "standing": updated, "tally": updated,
        // Rows are added and stay.
        "score": added, "past_score": added, "donation": added, "past_donation": added, "correction": added,
        "log_entry": added,
        // A few rows change with each donation.
        "charity_total": "fillfactor=50", "charity_donated": "",
        // A row for each player, device or picture, or for what some of them did, which changes now and then.
        "player": "", "device": "", "avatar": "", "former_avatar": "", "refused_avatar": "", "save": "", "code": "",
        "identity": "", "tie": "", "team": "", "member": "", "team_report": "", "plan": "", "plan_run": "",
        "challenge": "", "entry": "", "stake_share": "", "cohort_member": "", "award_given": "", "merge": "",
        "erasure": "", "erased_token": "", "report": "", "score_note": "", "score_state": "", "held_score": "",
        "donation_state": "",
        // A row for each thing that an operator does or sets up, or for each day.
        "moderation_action": "", "log_words": "", "game": "", "game_key": "", "key_use": "", "provider": "",
        "award": "", "award_total": "", "campaign": "", "milestone": "", "board": "", "board_measure": "",
        "best_posts": "", "charity": "", "book_day": "", "book_charity": "", "book_game": "", "installation": "",
        "log_key": "", "migration": "",
    ]

    @Test("no function needs a constraint, which pg_dump of some versions restores after it") func functions()
        async throws
    {
        try await withTestDatabase { database in
            let functions = try await database.owner.ask(
                """
                select d.objid::regproc::text from pg_depend d
                 where d.classid = 'pg_proc'::regclass and d.refclassid = 'pg_constraint'::regclass
                """)
            #expect(functions == [])
        }
    }

    @Test("each table has the settings that were thought of for it, and there is none of which nobody has thought")
    func declared() async throws {
        try await withTestDatabase { database in
            let found = try await database.owner.ask(
                """
                select concat_ws('|', relname, coalesce(array_to_string(reloptions, ' '), '')) from pg_class
                 where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
                """)
            #expect(found.sorted() == Self.settings.map { "\($0.key)|\($0.value)" }.sorted())
        }
    }

    @Test("the article Data kept says of every table what it grows by and what bounds it") func documented() throws {
        let root = #filePath.components(separatedBy: "/Tests/")[0]
        let path = "\(root)/Sources/causeboard/Causeboard.docc/DataKept.md"
        let article = try String(contentsOfFile: path, encoding: .utf8)
        let begin = try #require(article.range(of: "\n## What grows\n"))
        let cells = article[begin.upperBound...].split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap {
            $0.split(separator: "|").first
        }.joined()
        for table in Self.settings.keys { #expect(cells.contains("`\(table)`"), "\(table)") }
    }

    @Test("the statistics of every table are made anew after a migration") func analyzed() {
        let words = SQL.statisticsRefresh.description.split { !$0.isLetter && $0 != "_" }.map(String.init)
        // The list of migrations is read from end to end.
        for table in Self.settings.keys where table != "migration" { #expect(words.contains(table), "\(table)") }
    }

    @Test("nearly every post of a player finds room for the new rows of its wallet and its day beside the old ones")
    func room() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("board") { $0.policy = .sum }
            let ada = try await database.addPlayer("Ada")
            for _ in 0..<300 { try await database.post(1, by: ada, on: "board") }
            // A session says what it has counted when it ends, which is waited for.
            try await database.owner.script(
                """
                select pg_terminate_backend(pid, 60000) from pg_stat_activity
                 where datname = current_database() and pid <> pg_backend_pid();
                """)
            for table in ["wallet", "tally"] {
                let shares = try await database.owner.ask(
                    """
                    select n_tup_upd || ' ' || (n_tup_hot_upd * 100 >= n_tup_upd * 90)
                      from pg_stat_user_tables where relname = '\(table)'
                    """)
                let words = try #require(shares.first).split(separator: " ")
                #expect(words.count == 2 && (Int(words[0]) ?? 0) >= 299 && words[1] == "true", "\(table) \(shares)")
            }
        }
    }
}
