import Foundation
import Postgres
import Statements
import TestDatabases
import Testing

@testable import Storage

/// Every statement is planned with 200,000 players. A new one is planned too, with arguments that are made of its
/// header; ``SampleArguments`` has those of statements that read something else by what they are asked.
@Suite struct EveryPlanTests {
    /// The statements that read a large table on purpose, and why.
    static let exceptions: [String: String] = [
        "audit_awards": audit, "audit_best_posts": audit, "audit_books": audit, "audit_caps": audit,
        "audit_charity_totals": audit, "audit_funding": audit, "audit_ledgers": audit, "audit_plans": audit,
        "audit_stakes": audit, "audit_standings": audit, "audit_states": audit, "audit_tallies": audit,
        "audit_wallets": audit, "log_actions": audit, "log_chain": audit, "repair_best_posts": audit,
        "repair_caps": audit, "repair_charity_totals": audit, "repair_donation_states": audit,
        "repair_score_states": audit, "repair_standings": audit, "repair_tallies": audit, "repair_wallets": audit,
        "ledger_sums": backup, "board_own_position": count, "board_page": count, "board_points_position": count,
        "board_size": count, "boards_measure": count, "window_own_position": count, "window_points_position": count,
        "window_rows": count, "window_size": count, "team_rows": count, "team_standings": count, "country_rows": count,
        "country_sums": count, "campaign_sum": campaign, "campaign_milestones": campaign, "charity_days": charity,
        "charity_games": charity, "charity_largest": charity,
        "addresses_count": "an operator asks for the number of addresses of a game",
        "players_flagged": "a follower begins with the flags of all players who chose one",
        "demo_precheck": "it looks whether the tables are empty", "subscribers": "an operator exports all of them",
    ]

    private static let audit = "an audit reads everything"
    private static let backup = "a backup is compared with everything"
    private static let count = "it counts the rows of a board, or of a window; memory answers instead when it can"
    private static let charity = "it adds up all that a charity received"
    private static let campaign = "it adds up the days of a campaign; the document is cached until one of them changes"

    /// The folders of `SQL` with statements that run in ``SessionPresets/ledger``. Their plans are made once for all
    /// values, also before PostgreSQL has analyzed the tables.
    private static let ledgerFolders = [
        "awards", "moderation", "contests", "demo", "device", "holds", "ledger", "plans", "teams", "ties",
    ]

    @Test("no statement reads a whole ledger, player table or rollup for a bounded input") func everyStatement()
        async throws
    {
        let statements = SQL.all.map { (name: $0.name, text: $0.text.description) }.filter { isPlanned($0.text) }
        #expect(statements.count > 250)
        let ledgerNames = try Set(Self.ledgerFolders.flatMap(names))
        let writing = statements.filter { ledgerNames.contains($0.name) }
        #expect(writing.count > 100)
        try await withTestDatabase { database in
            let board = try await LargeDatabase.addBoards(to: database)
            let plans = Plans(of: database, SampleArguments(board: board))
            var found: [String: Set<String>] = [:]
            try await LargeDatabase.fill(database, board: board)
            for plan in try await plans.make(writing, in: SessionPresets.ledger, .generic) {
                found[plan.name, default: []].formUnion(plan.longReads().map { "not analyzed: \($0)" })
            }
            try await database.owner.script("analyze")
            for mode in PlanMode.allCases {
                for plan in try await plans.make(writing, in: SessionPresets.ledger, mode) {
                    found[plan.name, default: []].formUnion(plan.longReads().map { "ledger, \(mode): \($0)" })
                }
                for plan in try await plans.make(statements, in: SessionPresets.general, mode) {
                    found[plan.name, default: []].formUnion(plan.longReads().map { "general, \(mode): \($0)" })
                }
            }
            #expect(found.count == statements.count)
            for (name, reads) in found.sorted(by: { $0.key < $1.key }) {
                if Self.exceptions[name] == nil {
                    #expect(reads.isEmpty, "\(name)\n\(reads.sorted().joined(separator: "\n"))")
                } else {
                    #expect(!reads.isEmpty, "\(name) is no exception any more")
                }
            }
            #expect(Set(Self.exceptions.keys).subtracting(found.keys) == [])
        }
    }

    @Test("a read of a whole table or index is noticed, and one of a few rows is not") func notices() async throws {
        try await withTestDatabase { database in
            let board = try await LargeDatabase.addBoards(to: database)
            try await database.owner.script(
                """
                insert into standing (board_id, player_id, points, reached_at, lowest_first)
                select \(board), n, n, now(), false from generate_series(1, 5000) n;
                analyze standing;
                """)
            let long = [
                "select count(points) from standing", "select s.player_id from standing s order by s.board_id",
                "select count(*) from standing s where s.board_id = \(board)",
                "select s.player_id from standing s where s.points < 5 limit 1",
            ]
            let short = [
                "select s.points from standing s where s.board_id = \(board) and s.player_id = 5",
                "select s.points from standing s where s.board_id = \(board) order by s.order_bucket, s.order_key limit 10",
                "select s.player_id from standing s order by s.board_id, s.player_id limit 10",
            ]
            let plans = Plans(of: database, SampleArguments(board: board))
            let all = (long + short).enumerated().map { (name: "n\($0.offset)", text: $0.element) }
            let found = try await plans.make(all, in: SessionPresets.general, .custom)
            #expect(found.map { $0.longReads().isEmpty } == long.map { _ in false } + short.map { _ in true })
        }
    }

    /// Whether EXPLAIN takes a statement. The others lock, copy or define something.
    private func isPlanned(_ text: String) -> Bool {
        let body = text.split(separator: "\n").drop { $0.hasPrefix("--") }.joined(separator: " ")
        return ["select", "with", "insert", "update", "delete", "merge"].contains { body.hasPrefix("\($0) ") }
    }

    private func names(in folder: String) throws -> [String] {
        let files = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../SQL/\(folder)")
        return try FileManager.default.contentsOfDirectory(atPath: files.path).compactMap { file in
            file.hasSuffix(".sql") ? String(file.dropLast(4)) : nil
        }
    }
}

/// Plans of many statements, all made in one session.
private struct Plans {
    private let owner: ConnectionSettings
    private let arguments: SampleArguments

    init(of database: TestDatabase, _ arguments: SampleArguments) {
        owner = database.owner
        self.arguments = arguments
    }

    /// - Returns: A plan for each list of arguments of each statement, in their order.
    func make(_ statements: [(name: String, text: String)], in session: [String: String], _ mode: PlanMode) async throws
        -> [Plan]
    {
        var login = owner
        login.session = session.merging(["plan_cache_mode": mode.rawValue]) { $1 }
        // Statements that the owner alone may run are planned as well.
        login.session["role"] = nil
        var script = """
            create function pg_temp.plan(asked text) returns text language plpgsql as $plan$
            declare made json;
            begin execute 'explain (format json) execute ' || asked into made; return made; end $plan$;
            """
        var calls: [(name: String, call: String)] = []
        for (name, text) in statements {
            script += "prepare \(name) as \(text)\n;\n"
            calls += arguments.lists(of: name, text).map { (name, name + $0) }
        }
        let values = calls.map { "(\($0.call.quoted))" }.joined(separator: ",")
        let question = "select pg_temp.plan(c.asked) from (values \(values)) c (asked)"
        let plans = try await login.ask(question, before: script)
        guard plans.count == calls.count else { throw TestDatabaseError("\(plans.count) of \(calls.count) plans") }
        let columns = try await owner.ask(
            """
            select c.relname || ' ' || a.attname
              from pg_index i join pg_class c on c.oid = i.indexrelid
              join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
            """)
        let firstColumns = Dictionary(columns.map { $0.split(separator: " ").map(String.init) }.map { ($0[0], $0[1]) })
        { $1 }
        return try zip(calls, plans).map { call, plan in
            let parsed = try JSONDecoder().decode([[String: PlanNode]].self, from: Data(plan.utf8))
            guard let root = parsed.first?["Plan"] else { throw TestDatabaseError("\(call): \(plan)") }
            return Plan(name: call.name, root: root, firstColumns: firstColumns)
        }
    }
}

/// How a statement is run.
private struct Plan {
    let name: String
    let root: PlanNode
    let firstColumns: [String: String]

    /// See ``PlanNode/longReads(_:)``.
    func longReads() -> [String] { root.longReads(firstColumns) }
}

extension String {
    /// The text as SQL writes it.
    fileprivate var quoted: String { "'\(replacing("'", with: "''"))'" }
}
