package import Logging

/// One connection to PostgreSQL, used by one task at a time.
///
/// It is not `Sendable`, so sharing it between two tasks does not compile. A statement begun inside another one's body (of `forEach` or a
/// COPY) is an error, not a wait. When a task is cancelled, its statement is cancelled on the server too and the call throws 57014 (or returns,
/// if the statement was done already); the connection stays usable, unless the server does not answer in `ConnectionSettings.cancelMax`.
package final class Connection {
    private var session: Session?

    init(_ session: sending Session) { self.session = session }

    /// Lends what the pool has parked.
    init(_ parked: ParkedSession) { session = parked.session }

    /// Opens a connection, which closes when it is released.
    /// - Throws: 08001 when no server let us in within `connectTimeout` (its own SQLSTATE, if it gave one, is in `refusal`); the server's error when it
    ///   refuses one of the session's settings.
    package static func open(_ settings: ConnectionSettings, logger: Logger) async throws(PostgresError) -> sending Connection {
        Connection(try await Session.connect(settings, logger: logger))
    }

    /// Whether another statement can be sent. It asks nobody: a server that has gone since is only found out by using it.
    package var isUsable: Bool { session?.isUsable ?? false }

    /// Closes the connection; to close twice does nothing. Every later call throws 08003.
    package func close() {
        session?.close()
        session = nil
    }

    /// The session, for as long as the connection is neither closed nor given back.
    func lent() throws(PostgresError) -> Session {
        guard let session else { throw PostgresError(.connectionNotOpen, safeToRetry: true) }
        return session
    }

    /// Ends the lease: whoever kept this connection finds it closed.
    func giveBack() { session = nil }
}
