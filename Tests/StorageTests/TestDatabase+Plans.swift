import Postgres
import TestDatabases

/// How PostgreSQL plans a prepared statement: for the given values, or once for all values.
enum PlanMode: String, CaseIterable {
    case custom = "force_custom_plan"
    case generic = "force_generic_plan"
}

extension TestDatabase {
    /// The tables that grow with the number of players and posts. No request may read one of them from end to end.
    static let largeTables: [Substring] = ["standing", "score", "tally", "player", "wallet", "device", "donation"]

    /// The lines of EXPLAIN for a statement of the server.
    /// - Parameter arguments: The binds as SQL writes them, separated by commas.
    func plan(
        of sql: StaticString,
        _ arguments: String,
        in session: [String: String],
        _ mode: PlanMode
    ) async throws -> [String] {
        var login = server
        login.session = session.merging(["plan_cache_mode": mode.rawValue]) { $1 }
        return try await login.ask(
            "explain execute q(\(arguments))",
            before: "prepare q as \(sql.description)"
        )
    }

    /// Whether a line of EXPLAIN reads a large table from end to end.
    static func isSequentialScan(_ line: String) -> Bool {
        line.contains("Seq Scan on") && largeTables.contains(where: line.split(separator: " ").contains)
    }
}
