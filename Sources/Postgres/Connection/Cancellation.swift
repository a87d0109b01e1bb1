import CPQ
import Glibc
import Synchronization

extension Session {
    private static var firstPause: Duration { .milliseconds(50) }

    /// Asks the server to cancel what this session has under way. It then ends with 57014, unless it was done already.
    ///
    /// While a COMMIT is outstanding nothing is asked, and its answer is waited for as long as a cancellation may take.
    /// A request would not undo a commit that waits for its synchronous standby: it would only end that wait, so that
    /// everybody sees what the standby may never have.
    func cancel(_ handle: OpaquePointer) {
        guard cancellation == nil else { return }
        let now = ContinuousClock.now
        let giveUp = now + settings.cancelMax
        let asks = !isCommitOutstanding
        cancellation = Cancellation(
            asks: asks, request: asks ? CancelRequest(to: handle, within: settings.cancelMax, signalling: waiter) : nil,
            nextRequest: asks ? now + Self.firstPause : giveUp, pause: Self.firstPause, giveUp: giveUp)
    }

    /// Whether a statement that commits was sent and has not been answered.
    private var isCommitOutstanding: Bool {
        steps.dropFirst(stepsDone).contains { step in
            if case .execute(_, _, _, commits: true) = step { true } else { false }
        }
    }

    /// Repeats the request at growing intervals, because one that arrives while the server is between two statements is
    /// lost.
    /// - Throws: 57014 when the statement has not ended within `ConnectionSettings.cancelMax`; the session is closed
    ///   then, and a commit that was outstanding may still happen.
    func cancelAgain(_ handle: OpaquePointer) throws(PostgresError) {
        guard var cancellation else { return }
        let now = ContinuousClock.now
        guard now < cancellation.giveUp else {
            close()
            throw PostgresError(
                .queryCancelled, safeToRetry: false, message: "the server did not cancel in time; connection closed")
        }
        guard cancellation.asks else { return }
        cancellation.pause *= 2
        cancellation.nextRequest = now + cancellation.pause
        if cancellation.request?.hasEnded ?? true {
            cancellation.request = CancelRequest(to: handle, within: settings.cancelMax, signalling: waiter)
        }
        self.cancellation = cancellation
    }

    /// Makes sure that a pending request cannot hit the next statement. It waits for the request's end and then makes
    /// one round trip to the server, since a signal that was sent to a process arrives before the process reads on.
    func settle(_ handle: OpaquePointer) async throws(PostgresError) {
        if let cancellation, !cancellation.asks { return self.cancellation = nil }
        // No further request may start from here on: it could outlive this operation and hit the next caller's
        // statement.
        if let giveUp = cancellation?.giveUp { cancellation?.nextRequest = giveUp }
        while let cancellation, let request = cancellation.request, !request.hasEnded {
            guard ContinuousClock.now < cancellation.giveUp else { throw lost(handle) }
            try await progress(handle, forWriting: false)
        }
        guard PQpipelineSync(handle) == 1, let result = try await nextResult(handle),
            result.status == PGRES_PIPELINE_SYNC
        else { throw lost(handle) }
        cancellation = nil
    }
}

/// A request to cancel what a session is doing. It opens its own connection. libpq may block, so it runs on its own
/// thread.
final class CancelRequest: Sendable {
    // SAFETY: the pointer leads to a copy of an address and a key, made before the thread of the request starts. From
    // then on only that thread uses it, and frees it.
    private struct Target: @unchecked Sendable { let pointer: OpaquePointer }

    private let isDone = Atomic(false)

    /// Whether the server has acted on the request or cannot be reached. Until then it may still hit what the session
    /// does next.
    var hasEnded: Bool { isDone.load(ordering: .acquiring) }

    /// Sends the request and signals the waiter when it has ended. Returns nil when the request could not be started.
    /// - Parameter time: The timeout of a request by ``EncryptedCancelling``.
    init?(to handle: OpaquePointer, within time: Duration, signalling waiter: Waiter) {
        let encrypted = EncryptedCancelling.ofLibrary
        guard let pointer = if let encrypted { encrypted.create(handle) } else { PQgetCancel(handle) } else {
            return nil
        }
        let target = Target(pointer: pointer)
        do {
            try HelperThread.start { [self] in
                if let encrypted {
                    encrypted.send(target.pointer, within: time)
                } else {
                    Self.sendPlain(target.pointer)
                }
                isDone.store(true, ordering: .releasing)
                waiter.signal()
            }
        } catch {
            if let encrypted { encrypted.finish(pointer) } else { PQfreeCancel(pointer) }
            return nil
        }
    }

    private static func sendPlain(_ pointer: OpaquePointer) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
            _ = PQcancel(pointer, message.baseAddress, Int32(message.count))
        }
        PQfreeCancel(pointer)
    }
}

/// Cancel requests with the encryption of their session. libpq has them from version 17 on; older versions send the
/// request in plain text. The installed library decides, not the headers of the build, so its functions are looked up
/// by name.
struct EncryptedCancelling: Sendable {
    typealias Create = @convention(c) @Sendable (OpaquePointer?) -> OpaquePointer?
    typealias Start = @convention(c) @Sendable (OpaquePointer?) -> CInt
    typealias Poll = @convention(c) @Sendable (OpaquePointer?) -> PostgresPollingStatusType
    typealias Finish = @convention(c) @Sendable (OpaquePointer?) -> Void

    /// Nil if the library is older.
    static let ofLibrary = EncryptedCancelling()

    fileprivate let create: Create
    private let start: Start
    private let poll: Poll
    private let socket: Start
    fileprivate let finish: Finish

    private init?() {
        guard let create = dlsym(nil, "PQcancelCreate"), let start = dlsym(nil, "PQcancelStart"),
            let poll = dlsym(nil, "PQcancelPoll"), let socket = dlsym(nil, "PQcancelSocket"),
            let finish = dlsym(nil, "PQcancelFinish")
        else { return nil }
        self.create = unsafeBitCast(create, to: Create.self)
        self.start = unsafeBitCast(start, to: Start.self)
        self.poll = unsafeBitCast(poll, to: Poll.self)
        self.socket = unsafeBitCast(socket, to: Start.self)
        self.finish = unsafeBitCast(finish, to: Finish.self)
    }

    /// Sends the request, waits until the server has handled it, and frees it.
    fileprivate func send(_ request: OpaquePointer, within time: Duration) {
        defer { finish(request) }
        let giveUp = ContinuousClock.now + time
        guard start(request) == 1 else { return }
        // libpq requires the first wait to be for writing.
        var awaited = CShort(POLLOUT)
        while true {
            let left = giveUp - ContinuousClock.now
            guard left > .zero else { return }
            var file = pollfd(fd: socket(request), events: awaited, revents: 0)
            _ = Glibc.poll(&file, 1, CInt(clamping: left.components.seconds &* 1_000 &+ 1))
            switch poll(request) {
            case PGRES_POLLING_READING: awaited = CShort(POLLIN)
            case PGRES_POLLING_WRITING: awaited = CShort(POLLOUT)
            default: return
            }
        }
    }
}
