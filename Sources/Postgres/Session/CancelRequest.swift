import CPQ
import Synchronization

/// A request to cancel what a session is doing. `PQcancel` opens a connection of its own and blocks, so it runs on a thread of its own.
final class CancelRequest: Sendable {
    // SAFETY: a PGcancel is an immutable copy of an address and a key, made to be used from any thread; it is freed where it was used.
    private struct Target: @unchecked Sendable { let pointer: OpaquePointer }

    private let isDone = Atomic(false)

    /// Whether the server has acted on it, or cannot be reached. Before that it may still hit whatever the session does next.
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
