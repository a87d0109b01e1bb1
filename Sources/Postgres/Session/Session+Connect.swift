import CPQ
import Logging

extension Session {
    /// Connects and applies the session's settings.
    /// - Throws: 08001 when no server lets us in in time; the server's own error when it refuses a setting.
    /// - Parameter options: Which win over what the connection string says.
    static func connect(_ settings: ConnectionSettings, options: [(key: StaticString, value: String)] = [], logger: Logger)
        async throws(PostgresError) -> sending Session
    {
        let poller = try Poller.shared()
        let handle = try await ConnectAttempt.open(settings.conninfo, options, until: .now + settings.connectTimeout)
        let session = Session(handle, settings: settings, logger: logger, poller: poller)
        guard !settings.session.isEmpty else { return session }
        let settings = settings.session.sorted { $0.key < $1.key }
        var statements: [Statement] = []
        for (name, value) in settings { statements.append(try Statement("select set_config($1, $2, false)", [name, value])) }
        do throws(PostgresError) { _ = try await session.run(statements) } catch {
            // Only settings of a session that is gone: nothing of the caller's was sent.
            throw PostgresError(error.state, origin: error.origin, safeToRetry: true, refusal: error.refusal, details: error.details)
        }
        return session
    }
}
