import CPQ
import Logging

extension Session {
    /// Connects and applies the session's settings. Of several hosts, the one that took writes last is tried first, and
    /// each has its share of the time, so that one that has vanished or is frozen does not take it all.
    /// - Throws: 08001 when no server accepts the connection in time; the server's own error when it refuses a setting.
    /// - Parameters:
    ///   - options: libpq options that take precedence over the connection string.
    ///   - isBare: Whether nothing at all is sent, neither settings nor a question.
    static func connect(
        _ settings: ConnectionSettings, options: [(key: StaticString, value: String)] = [], isBare: Bool = false,
        logger: Logger
    ) async throws(PostgresError) -> sending Session {
        let deadline = ContinuousClock.now + settings.connectTimeout
        guard let list = HostList(conninfo: settings.conninfo), !list.hosts.isEmpty else {
            return try await open(settings, options, isBare: isBare, until: deadline, logger: logger)
        }
        let hosts = list.startingWith(settings.fence?.preferred(of: list))
        var reason: PostgresError?
        for (index, host) in hosts.enumerated() {
            let now = ContinuousClock.now
            let share = (deadline - now) / (hosts.count - index)
            do throws(PostgresError) {
                let session = try await open(
                    settings, options + host.options, isBare: isBare, until: now + share, logger: logger)
                settings.fence?.prefer(host, of: list)
                return session
            } catch {
                // Another host is no answer to a setting that was refused, nor to a cancelled task.
                guard error.state.class == .connection || Self.stopped.contains(error.state) else { throw error }
                if reason?.refusal == nil { reason = error }
            }
        }
        throw reason ?? PostgresError(.cannotConnect, safeToRetry: true, message: "no host is named")
    }

    /// The errors of a server that stops, or is about to take connections.
    private static var stopped: Set<SQLState> { [.adminShutdown, .crashShutdown, .cannotConnectNow] }

    /// Connects to one host, or as the connection string says.
    static func open(
        _ settings: ConnectionSettings, _ options: [(key: StaticString, value: String)], isBare: Bool = false,
        until deadline: ContinuousClock.Instant, logger: Logger
    ) async throws(PostgresError) -> sending Session {
        let isReplication = options.contains { $0.key.description == "replication" }
        let poller = try Poller.shared(for: isReplication ? .streams : settings.purpose)
        let handle = try await ConnectAttempt.open(settings.conninfo, options, until: deadline)
        let session = try Session(handle, settings: settings, logger: logger, poller: poller)
        if isBare { return session }
        try await session.begin(isReplication ? .replication : .statements, until: deadline)
        return session
    }

    /// Runs one command by the simple protocol and returns its first row as text; empty when there is none.
    func simpleRow(_ command: String) async throws(PostgresError) -> [String] {
        let handle = try enter()
        defer { leave() }
        guard PQsendQuery(handle, command) == 1 else { throw lost(handle, nothingSent: true) }
        var row: [String] = []
        var failure: PostgresError?
        while let result = try await nextResult(handle) {
            switch result.status {
            case PGRES_TUPLES_OK:
                guard PQntuples(result.pointer) > 0 else { continue }
                row = (0..<PQnfields(result.pointer)).map {
                    PQgetvalue(result.pointer, 0, $0).map { String(cString: $0) } ?? ""
                }
            case PGRES_COMMAND_OK: break
            default: failure = serverError(result, mayHaveCommitted: false)
            }
        }
        if let failure { throw failure }
        return row
    }
}
