import CPQ
import Synchronization

extension Session {
    private static var firstPause: Duration { .milliseconds(50) }

    /// Asks the server to cancel what this session has under way, which then ends with 57014, unless it was done
    /// already.
    func cancel(_ handle: OpaquePointer) {
        guard cancellation == nil else { return }
        let now = ContinuousClock.now
        cancellation = Cancellation(
            request: CancelRequest(to: handle, signalling: waiter),
            nextRequest: now + Self.firstPause,
            pause: Self.firstPause,
            giveUp: now + settings.cancelMax
        )
    }

    /// A request is lost when it comes while the server is between two statements, so it is repeated, at growing
    /// intervals.
    func cancelAgain(_ handle: OpaquePointer) throws(PostgresError) {
        guard var cancellation else { return }
        let now = ContinuousClock.now
        guard now < cancellation.giveUp else {
            close()
            throw PostgresError(
                .queryCancelled,
                safeToRetry: false,
                message: "the server did not cancel in time; connection closed"
            )
        }
        cancellation.pause *= 2
        cancellation.nextRequest = now + cancellation.pause
        if cancellation.request?.hasEnded ?? true {
            cancellation.request = CancelRequest(to: handle, signalling: waiter)
        }
        self.cancellation = cancellation
    }

    /// Makes sure that a request still on its way cannot hit the next statement: waits for its end, then goes to the
    /// server and back once, since a signal that was sent to a process arrives before the process reads on.
    func settle(_ handle: OpaquePointer) async throws(PostgresError) {
        // From here on no further request may be begun: it would outlive this operation and hit the next borrower's
        // statement.
        if let giveUp = cancellation?.giveUp { cancellation?.nextRequest = giveUp }
        while let cancellation, let request = cancellation.request, !request.hasEnded {
            guard ContinuousClock.now < cancellation.giveUp else { throw lost(handle) }
            try await progress(handle, forWriting: false)
        }
        guard PQpipelineSync(handle) == 1, let result = try await nextResult(handle),
            result.status == PGRES_PIPELINE_SYNC
        else {
            throw lost(handle)
        }
        cancellation = nil
    }
}

/// A request to cancel what a session is doing. `PQcancel` opens a connection of its own and blocks, so it runs on a
/// thread of its own.
final class CancelRequest: Sendable {
    // SAFETY: a PGcancel is an immutable copy of an address and a key, made to be used from any thread; it is freed
    // where it was used.
    private struct Target: @unchecked Sendable { let pointer: OpaquePointer }

    private let isDone = Atomic(false)

    /// Whether the server has acted on it, or cannot be reached. Before that it may still hit whatever the session does
    /// next.
    var hasEnded: Bool { isDone.load(ordering: .acquiring) }

    /// Sends the request and, when it has ended, signals the waiter. Nil when that could not even be begun.
    init?(to handle: OpaquePointer, signalling waiter: Waiter) {
        guard let pointer = PQgetCancel(handle) else { return nil }
        let target = Target(pointer: pointer)
        do {
            try HelperThread.start { [self] in
                withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
                    _ = PQcancel(target.pointer, message.baseAddress, Int32(message.count))
                }
                PQfreeCancel(target.pointer)
                isDone.store(true, ordering: .releasing)
                waiter.signal()
            }
        } catch {
            PQfreeCancel(pointer)
            return nil
        }
    }
}
