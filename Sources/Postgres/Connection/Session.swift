import CPQ
import Glibc
import Logging

/// The only owner of a `PGconn` and of its registration with the poller.
///
/// Each operation calls `enter` and `leave`, so that there is one at a time and the session is either ready or closed
/// after it. One task uses a session at a time; the pool may move it from one task to another.
final class Session {
    /// One request of a pipeline. The server answers them in order.
    enum Step {
        /// Deallocates a statement that is about to be prepared again.
        case deallocate
        case prepare(StatementCache.Key, name: String)
        case execute(StatementCache.Key, name: String, wasPrepared: Bool, commits: Bool)
        case describe

        /// Whether this step only prepares for a statement of the caller's.
        var isPreparation: Bool {
            switch self {
            case .deallocate, .prepare: true
            case .execute, .describe: false
            }
        }
    }

    struct Cancellation {
        /// Whether the server is asked to cancel, or only given time to end by itself.
        let asks: Bool
        var request: CancelRequest?
        var nextRequest: ContinuousClock.Instant
        var pause: Duration
        let giveUp: ContinuousClock.Instant
    }

    let settings: ConnectionSettings
    let waiter = Waiter()
    let notices: NoticeSink
    let poller: Poller
    private let registration: Poller.Registration
    private let socket: Int32

    /// The libpq handle; nil once closed.
    private(set) var open: OpaquePointer?
    private(set) var isBusy = false
    var statements = StatementCache()
    var steps: [Step] = []
    var stepsDone = 0
    var cancellation: Cancellation?
    /// False during a rollback, which a cancelled task must be able to do.
    var heedsCancellation = true
    /// The timeline on which the server takes writes; nil without a fence.
    private(set) var timeline: Timeline?
    /// Whether the server has refused a statement because it would write.
    var hasRefusedWrite = false
    /// While the session begins: when its server has to have answered.
    private var begunBy: ContinuousClock.Instant?

    /// Takes over a connected handle.
    /// - Throws: 53000 when the system cannot watch its socket; the handle is closed then.
    init(_ handle: OpaquePointer, settings: ConnectionSettings, logger: Logger, poller: Poller) throws(PostgresError) {
        self.settings = settings
        self.poller = poller
        notices = NoticeSink(settings.onNotice, logger: logger)
        socket = PQsocket(handle)
        do { registration = try poller.add(waiter, socket: socket) } catch {
            PQfinish(handle)
            throw error
        }
        open = handle
        notices.attach(to: handle)
    }

    deinit { close() }

    /// Closes the connection. What is under way fails; a second call does nothing.
    func close() {
        guard let handle = open else { return }
        open = nil
        // libpq closes a broken socket by itself, and its number may be another connection's by now.
        poller.remove(registration, socket: PQsocket(handle) == socket ? socket : nil)
        PQfinish(handle)
    }

    /// Whether another statement can be sent, as far as the client knows; it does not ask the server.
    var isUsable: Bool { open.map { !isBusy && PQstatus($0) == CONNECTION_OK } ?? false }

    /// Whether the session is usable and no transaction is open.
    var isIdle: Bool { isUsable && open.map { PQtransactionStatus($0) == PQTRANS_IDLE } ?? false }

    /// Whether the session can be lent again. One whose server takes no writes cannot: after a fail-over its successor
    /// is connected to the server that does.
    var isReusable: Bool { isIdle && !hasRefusedWrite && !isOnStandby && !isFormer }

    /// Whether the server is known to be a former primary.
    var isFormer: Bool {
        guard let timeline, let fence = settings.fence else { return false }
        return fence.isPast(timeline)
    }

    /// Whether the server is a standby. It reports that by itself, also when it is promoted.
    var isOnStandby: Bool {
        guard let open, let value = PQparameterStatus(open, "in_hot_standby") else { return false }
        return strcmp(value, "on") == 0
    }

    /// Whether an idle session is still connected, as far as the client can know. Reads what the server has sent
    /// meanwhile.
    func isAlive() -> Bool {
        guard let handle = open else { return false }
        var watched = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        while PQstatus(handle) == CONNECTION_OK, poll(&watched, 1, 0) > 0 {
            guard PQconsumeInput(handle) == 1 else { return false }
            // PQisBusy parses the input: a FATAL message becomes a notice, and the end of the stream follows it.
            _ = PQisBusy(handle)
        }
        return isReusable
    }

    /// Begins an operation.
    /// - Throws: 08003 once the session is closed, PX000 inside another operation, 57014 when the task is already
    ///   cancelled.
    func enter() throws(PostgresError) -> OpaquePointer {
        guard let handle = open else { throw PostgresError(.connectionNotOpen, safeToRetry: true) }
        guard !isBusy else {
            throw PostgresError(.misuse, safeToRetry: false, message: "another statement is under way")
        }
        guard !heedsCancellation || !Task.isCancelled else { throw PostgresError(.queryCancelled, safeToRetry: true) }
        isBusy = true
        steps.removeAll(keepingCapacity: true)
        stepsDone = 0
        cancellation = nil
        notices.isCommitInDoubt = false
        return handle
    }

    func leave() {
        isBusy = false
        if let handle = open, PQstatus(handle) != CONNECTION_OK { close() }
    }

    /// Waits until the socket can be read (or written, if `forWriting`), a signal comes, the deadline passes or the
    /// task is cancelled. The deadline is `silenceMax` from now or, during a cancellation, the time of its next
    /// request. It comes early when the server turns out to be a former primary, which may be silent for ever.
    func waitForSocket(_ handle: OpaquePointer, forWriting: Bool) async -> Waiter.Wakeup {
        let silence = settings.silenceMax.map { ContinuousClock.now + $0 }
        let deadline =
            cancellation.map { min($0.nextRequest, $0.giveUp) } ?? [silence, begunBy].compactMap(\.self).min()
        while true {
            let look = timeline == nil || cancellation != nil ? nil : ContinuousClock.now + Self.fencePause
            let next = [deadline, look].compactMap { $0 }.min()
            let wakeup = await waiter.wait(heedsCancellation: heedsCancellation && cancellation == nil, until: next) {
                if let next { poller.keep(next) }
                guard poller.arm(registration, socket: socket, forWriting: forWriting) else { return waiter.fire() }
            }
            guard wakeup == .deadline, let look, next == look, !isFormer else { return wakeup }
            if let deadline, deadline <= .now { return wakeup }
        }
    }

    /// How often a session that waits looks whether its server is a former primary.
    private static var fencePause: Duration { .seconds(1) }
}

extension Session {
    /// Sends statements as one pipeline and passes each one's results to `body`, with the statement's index.
    /// - Throws: The first error. Nothing is kept then, unless the statements themselves begin and commit.
    /// - Returns: Rows affected by the last statement.
    @discardableResult func run(
        _ statements: [Statement], _ body: (Int, borrowing ResultHandle) throws(DecodingFailure) -> Void = { _, _ in }
    ) async throws(PostgresError) -> Int {
        let handle = try enter()
        var rowsAffected = 0
        do {
            try send(statements, to: handle)
            for index in statements.indices {
                rowsAffected = try await readStatement(handle) { result throws(DecodingFailure) in
                    try body(index, result)
                }
            }
            try await complete(handle)
            return rowsAffected
        } catch {
            await finish(handle)
            throw error
        }
    }
}

extension Session {
    /// Makes commits wait for the disk where the role or the database has switched that off. The other values of the
    /// setting all do so, and are the operator's choice of what a commit waits for besides.
    private static let durableCommits: StaticString = """
        select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'
        """

    /// Applies the settings of a session that has just been connected.
    /// - Throws: The server's own error when it refuses a setting. 08001 when it has not answered by the deadline, as
    ///   one that accepts connections and then freezes, when it is a former primary, and for a replication connection
    ///   when it is a standby.
    func begin(_ kind: Kind, until deadline: ContinuousClock.Instant) async throws(PostgresError) {
        begunBy = deadline
        defer { begunBy = nil }
        do throws(PostgresError) {
            try await locate(kind)
            // A replication connection takes no ordinary statement.
            if kind == .replication { return }
            var statements = [try Statement(Self.durableCommits)]
            for (name, value) in settings.session.sorted(by: { $0.key < $1.key }) {
                statements.append(try Statement("select set_config($1, $2, false)", [name, value]))
            }
            try await run(statements)
        } catch {
            // Only settings were sent, and their session is gone: nothing of the caller's was sent.
            guard error.state == .connectionLost, deadline <= .now else { throw error.with(safeToRetry: true) }
            throw PostgresError(.cannotConnect, safeToRetry: true, message: "connected, and then silent")
        }
    }

    enum Kind { case statements, replication }

    /// Finds out on which timeline the server takes writes.
    private func locate(_ kind: Kind) async throws(PostgresError) {
        if kind == .replication, isOnStandby {
            throw PostgresError(
                .cannotConnect, safeToRetry: true, message: "a standby is not followed", refusal: .readOnlyTransaction)
        }
        guard let fence = settings.fence else { return }
        let found: Timeline?
        switch kind {
        case .statements:
            var position: ServerPosition?
            try await run([try Statement(ServerPositionRead.sql)]) { _, result throws(DecodingFailure) in
                guard result.rowsCount > 0 else { return }
                var row = RowReader(result.pointer, row: 0)
                position = try ServerPositionRead.decode(&row)
            }
            found = position.flatMap { $0.isStandby ? nil : $0.timeline }
        case .replication:
            let row = try await simpleRow("IDENTIFY_SYSTEM")
            guard row.count >= 2, let system = UInt64(row[0]), let number = UInt32(row[1]) else {
                throw PostgresError(.undecodable, safeToRetry: true, message: "no timeline in IDENTIFY_SYSTEM")
            }
            found = Timeline(system: system, number: number)
        }
        guard let found else { return }
        if case .former(let newest) = fence.judge(found) { throw fence.refusal(of: found, newest: newest) }
        timeline = found
    }
}

extension Session {
    /// Refuses to begin a transaction inside another one, where BEGIN would only warn and COMMIT would end the outer
    /// one.
    /// - Throws: 25001 inside a transaction, 08003 once the session is closed.
    func refuseOpenTransaction() throws(PostgresError) {
        guard let open else { throw PostgresError(.connectionNotOpen, safeToRetry: true) }
        guard PQtransactionStatus(open) == PQTRANS_IDLE || isBusy else {
            throw PostgresError(.activeTransaction, safeToRetry: false)
        }
    }

    /// Commits the open transaction.
    /// - Throws: 25P02 after a failed statement, when the server would answer COMMIT with a ROLLBACK and no error.
    func commit() async throws(PostgresError) {
        if let open, PQtransactionStatus(open) == PQTRANS_INERROR {
            throw PostgresError(.failedTransaction, safeToRetry: false)
        }
        try await run([.control("commit", commits: true)])
    }

    /// Rolls back an open transaction, even in a cancelled task. If that fails the session is closed, and so the server
    /// rolls back.
    func rollBack() async {
        guard let handle = open, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
        heedsCancellation = false
        defer { heedsCancellation = true }
        do throws(PostgresError) { try await run([.control("rollback")]) } catch { close() }
    }
}
