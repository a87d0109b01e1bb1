import Logging
import Postgres

extension Database {
    /// What is wrong with the way to the database: a pooler that lends a connection for a transaction only. Nil when
    /// nothing is.
    func poolingTrouble(logger: Logger) async throws -> String? {
        guard cluster == nil else { return nil }
        let settings = ConnectionSettings(conninfo: server, connectTimeout: .seconds(5), fence: fence)
        guard try await Pooling.find(settings, logger: logger) == .transaction else { return nil }
        return """
            A pooler in transaction mode is on the way to the database. There, prepared statements, the role and the \
            time limits of a session end up with other clients. Set pool_mode = session for this database, or name \
            the database itself: the server keeps a bounded pool of its own.
            """
    }

    /// Refuses a way on which sessions do not last.
    /// - Throws: ``CommandError`` that says what to change.
    func requireSessions(logger: Logger) async throws {
        if let trouble = try await poolingTrouble(logger: logger) { throw CommandError(trouble) }
    }
}
