import Storage
import Synchronization

/// Single flight: concurrent calls with the same key share one read, and no call gets a value that is older than the
/// call. A call during a read waits for the next read, which begins when this one ends and serves all that wait.
///
/// A shared read waits at gates as the client that started it. If that client is refused, calls of other clients are
/// not: one of them reads instead.
package final class SingleFlight<Value: Sendable>: Sendable {
    private struct Waiter {
        let client: ClientKey
        let turn: CheckedContinuation<Turn, Never>
    }

    private enum Turn: Sendable {
        /// The caller reads, for itself and for all that wait with it.
        case lead
        case done(Result<Value, any Error>)
    }

    private struct Call {
        /// The calls that the current read serves.
        var served: [Waiter] = []
        /// The calls that came after the current read had begun.
        var waiting: [Waiter] = []
    }

    private let calls = Mutex<[String: Call]>([:])

    package init() {}

    /// - Parameters:
    ///   - key: Names what is read; calls with equal keys share a read.
    ///   - read: Runs in the first call, and later in one of the calls that wait.
    package func value(for key: String, _ read: () async throws -> Value) async throws -> Value {
        if !isFirst(key), case .done(let result) = await turn(for: key) { return try result.get() }
        do {
            // Whoever gave up while it waited leads only to pass the turn on.
            try Task.checkCancellation()
            let value = try await read()
            finish(key, .success(value))
            return value
        } catch {
            // A cancelled call has read nothing for the others: see `finish`.
            finish(key, .failure(Task.isCancelled ? CancellationError() : error))
            throw error
        }
    }

    private func isFirst(_ key: String) -> Bool {
        calls.withLock { calls in
            guard calls[key] == nil else { return false }
            calls[key] = Call()
            return true
        }
    }

    private func turn(for key: String) async -> Turn {
        let client = ClientKey.current
        return await withCheckedContinuation { turn in
            let leadsAtOnce = calls.withLock { calls in
                // The read may have ended meanwhile.
                guard calls[key] != nil else {
                    calls[key] = Call()
                    return true
                }
                calls[key]?.waiting.append(Waiter(client: client, turn: turn))
                return false
            }
            if leadsAtOnce { turn.resume(returning: .lead) }
        }
    }

    private func finish(_ key: String, _ result: Result<Value, any Error>) {
        let (served, leader) = calls.withLock { calls -> ([Waiter], Waiter?) in
            guard var call = calls[key] else { return ([], nil) }
            var served = call.served
            var next = call.waiting
            switch result {
            case .failure(is CancellationError):
                // The call that read was cancelled, so one of the waiting calls reads instead.
                next = served + next
                served = []
            case .failure(let error) where error as? StoreError == .crowded:
                let client = ClientKey.current
                next = served.filter { $0.client != client } + next
                served.removeAll { $0.client != client }
            case .success, .failure: break
            }
            guard !next.isEmpty else {
                calls[key] = nil
                return (served, nil)
            }
            let leader = next.removeFirst()
            call.served = next
            call.waiting = []
            calls[key] = call
            return (served, leader)
        }
        for waiter in served { waiter.turn.resume(returning: .done(result)) }
        leader?.turn.resume(returning: .lead)
    }
}
