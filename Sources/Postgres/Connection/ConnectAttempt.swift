import CPQ
import Glibc
import Synchronization

/// One attempt to connect. It runs on its own thread, because libpq resolves names with blocking calls, also between
/// two hosts of a list.
///
/// The caller need not wait for its end: an abandoned attempt closes what it has opened.
final class ConnectAttempt: Sendable {
    // SAFETY: a PGconn may be used by any thread, by one at a time; the attempt hands it over under the lock, and keeps
    // no copy.
    private struct Opened: @unchecked Sendable { let handle: OpaquePointer }

    private enum State {
        case underWay, abandoned
        case failed(PostgresError)
        case opened(Opened)
    }

    private let state = Mutex(State.underWay)
    private let waiter = Waiter()

    /// The longest time between two checks of whether the attempt was abandoned.
    private static let sliceMilliseconds: Int32 = 100

    /// Connects. The caller owns the returned handle and must pass it to `PQfinish`.
    /// - Throws: 08001 when no server accepted the connection before the deadline, 57014 when the task was cancelled.
    /// - Parameter options: libpq options that take precedence over the connection string.
    static func open(
        _ conninfo: String, _ options: [(key: StaticString, value: String)], until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> OpaquePointer {
        let poller = try Poller.shared()
        let attempt = ConnectAttempt()
        let registration = poller.add(attempt.waiter)
        defer { poller.remove(registration) }
        try HelperThread.start { attempt.run(conninfo, options, until: deadline) }
        let wakeup = await attempt.waiter.wait(heedsCancellation: true, until: deadline) { poller.keep(deadline) }
        let ended = attempt.state.withLock { state in
            defer { state = .abandoned }
            return state
        }
        switch ended {
        case .opened(let opened): return opened.handle
        case .failed(let error): throw error
        case .underWay, .abandoned:
            if wakeup == .cancelled {
                throw PostgresError(.queryCancelled, safeToRetry: true, message: "cancelled while connecting")
            }
            throw Self.tooLate
        }
    }

    private static var tooLate: PostgresError {
        PostgresError(.cannotConnect, safeToRetry: true, message: "connecting took too long")
    }

    private func run(
        _ conninfo: String, _ options: [(key: StaticString, value: String)], until deadline: ContinuousClock.Instant
    ) {
        let outcome: State
        do { outcome = .opened(Opened(handle: try connect(conninfo, options, until: deadline))) } catch {
            outcome = .failed(error)
        }
        let unwanted = state.withLock { state -> State? in
            if case .abandoned = state { return outcome }
            state = outcome
            return nil
        }
        if case .opened(let opened) = unwanted { PQfinish(opened.handle) }
        waiter.signal()
    }

    private func connect(
        _ conninfo: String, _ options: [(key: StaticString, value: String)], until deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> OpaquePointer {
        guard let handle = Self.start(conninfo, options) else {
            throw PostgresError(.cannotConnect, safeToRetry: true, message: "out of memory")
        }
        // The verbose message is the only place where libpq gives the SQLSTATE of a refusal.
        _ = PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        var polling = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while polling == PGRES_POLLING_READING || polling == PGRES_POLLING_WRITING {
            guard ContinuousClock.now < deadline, !isAbandoned else {
                PQfinish(handle)
                throw Self.tooLate
            }
            // The socket may change between two rounds: libpq opens another one for each address that it tries.
            var socket = pollfd(
                fd: PQsocket(handle), events: Int16(polling == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
            guard poll(&socket, 1, Self.sliceMilliseconds) > 0 else { continue }
            polling = PQconnectPoll(handle)
        }
        guard polling == PGRES_POLLING_OK, PQsetnonblocking(handle, 1) == 0 else {
            let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            PQfinish(handle)
            throw PostgresError(
                .cannotConnect, safeToRetry: true, message: message, refusal: SQLState(refusal: message))
        }
        _ = PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        return handle
    }

    private var isAbandoned: Bool {
        state.withLock { state in
            if case .abandoned = state { return true }
            return false
        }
    }
}

extension ConnectAttempt {
    /// Starts to connect. The connection string overrides options that stand before `dbname`, and not those after it.
    private static func start(_ conninfo: String, _ winning: [(key: StaticString, value: String)]) -> OpaquePointer? {
        let options: [(key: StaticString, value: String)] =
            [
                ("fallback_application_name", "causeboard"), ("gssencmode", "disable"), ("keepalives_idle", "10"),
                ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
            ] + (HostList(conninfo: conninfo) == nil ? [] : [("target_session_attrs", "read-write")]) + [
                ("dbname", conninfo), ("client_encoding", "UTF8"),
            ] + winning
        let values = options.map { strdup($0.value) }
        defer { for value in values { free(value) } }
        var keys: [UnsafePointer<CChar>?] = options.map {
            UnsafeRawPointer($0.key.utf8Start).assumingMemoryBound(to: CChar.self)
        }
        keys.append(nil)
        return PQconnectStartParams(keys, values.map { UnsafePointer($0) } + [nil], 1)
    }
}

extension SQLState {
    /// Finds the last SQLSTATE in libpq's message about a failed attempt, such as `FATAL:  28P01: …`, in any language.
    fileprivate init?(refusal message: String) {
        let codes = message.split(separator: ":").dropFirst().compactMap {
            SQLState(rawValue: String($0.drop { $0 == " " }))
        }
        guard let code = codes.last(where: { $0.rawValue.utf8.contains { 0x30...0x39 ~= $0 } }) else { return nil }
        self = code
    }
}
