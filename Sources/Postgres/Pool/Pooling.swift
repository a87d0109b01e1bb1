import CPQ
package import Logging

/// Whether a pooler such as PgBouncer is between the client and the server, and for how long it lends a connection.
package enum Pooling: Sendable {
    /// The client speaks with the server itself, or through a proxy that only passes bytes on.
    case none
    /// Each client has a connection of its own for as long as it stays: everything works.
    case session
    /// Each transaction may run on another connection. Prepared statements, roles and settings of a session then belong
    /// to other clients a moment later.
    case transaction

    /// How often two clients are compared. A pooler lends what was given back last, so the first time is the rule.
    private static let rounds = 4

    /// Finds out what is between. A pooler that has only one connection to lend counts as `session`.
    /// - Throws: What opening a connection throws.
    package static func find(_ settings: ConnectionSettings, logger: Logger) async throws(PostgresError) -> Pooling {
        var settings = settings
        settings.silenceMax = .seconds(2)
        settings.cancelMax = .seconds(1)
        let one = try await Session.connect(settings, isBare: true, logger: logger)
        defer { one.close() }
        // A pooler tells clients process ids of its own.
        let id = try await one.simpleRow(Self.serverProcess)
        if one.open.map({ "\(PQbackendPID($0))" }) == id.first { return .none }
        let other = try await Session.connect(settings, isBare: true, logger: logger)
        defer { other.close() }
        do throws(PostgresError) { _ = try await other.simpleRow(Self.serverProcess) } catch {
            // The pooler has no second connection for the other client.
            guard error.state == .connectionLost else { throw error }
            return .session
        }
        do throws(PostgresError) {
            for _ in 0..<rounds {
                let before = try await one.simpleRow(Self.serverProcess)
                // While the other client holds a connection, a client of its own session keeps its one.
                _ = try await other.simpleRow("begin")
                let held = try await other.simpleRow(Self.serverProcess)
                let after = try await one.simpleRow(Self.serverProcess)
                _ = try await other.simpleRow("rollback")
                if held == before || after != before { return .transaction }
            }
        } catch {
            // In statement mode no transaction can be begun.
            return .transaction
        }
        return .session
    }

    private static var serverProcess: String { "select pg_backend_pid()" }
}
