import Postgres
import TestDatabases

/// How PostgreSQL plans a prepared statement: for the given values, or once for all values.
enum PlanMode: String, CaseIterable {
    case custom = "force_custom_plan"
    case generic = "force_generic_plan"
}

extension TestDatabase {
    /// The lines of EXPLAIN for a statement of the server.
    /// - Parameters:
    ///   - arguments: The binds as SQL writes them, separated by commas.
    ///   - isRun: Whether it is run too, so that the lines say how many rows there were.
    func plan(
        of sql: StaticString, _ arguments: String, in session: [String: String], _ mode: PlanMode, isRun: Bool = false
    ) async throws -> [String] {
        var login = server
        login.session = session.merging(["plan_cache_mode": mode.rawValue]) { $1 }
        return try await login.ask(
            "explain \(isRun ? "(analyze, buffers, timing off)" : "") execute q(\(arguments))",
            before: "prepare q as \(sql.description)")
    }

    /// The most rows that one step of a plan that was run has read and left out, in all its loops.
    static func rowsLeftOut(_ plan: [String]) -> Int {
        var most = 0, loops = 1
        for line in plan {
            if let found = line.firstMatch(of: /loops=(\d+)/) { loops = Int(found.1) ?? 1 }
            if let found = line.firstMatch(of: /Rows Removed by (?:Join )?Filter: (\d+)/) {
                most = max(most, (Int(found.1) ?? 0) * loops)
            }
        }
        return most
    }
}
