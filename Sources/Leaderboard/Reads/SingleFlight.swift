import Synchronization

/// Lets those who ask for the same at the same time share one reading, and nobody gets an answer older than the
/// question: who comes while a reading is under way waits for the next one, which begins as soon as this one ends and
/// serves all who wait.
package final class SingleFlight<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Turn, Never>

    private enum Turn: Sendable {
        /// Read, for yourself and for those who wait with you.
        case lead
        case done(Result<Value, any Error>)
    }

    private struct Call {
        /// Served by the reading that is under way.
        var served: [Waiter] = []
        /// Came after it had begun.
        var waiting: [Waiter] = []
    }

    private let calls = Mutex<[String: Call]>([:])

    package init() {}

    /// - Parameters:
    ///   - key: Names what is read: equal keys read the same.
    ///   - read: Runs for whoever is first, and then for one of those who wait.
    package func value(for key: String, _ read: () async throws -> Value) async throws -> Value {
        if !isFirst(key), case .done(let result) = await turn(for: key) { return try result.get() }
        do {
            let value = try await read()
            finish(key, .success(value))
            return value
        } catch {
            // Who was told to stop has not read: see `finish`.
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
        await withCheckedContinuation { waiter in
            let leadsAtOnce = calls.withLock { calls in
                // The reading may have ended since.
                guard calls[key] != nil else {
                    calls[key] = Call()
                    return true
                }
                calls[key]?.waiting.append(waiter)
                return false
            }
            if leadsAtOnce { waiter.resume(returning: .lead) }
        }
    }

    private func finish(_ key: String, _ result: Result<Value, any Error>) {
        let (served, leader) = calls.withLock { calls -> ([Waiter], Waiter?) in
            guard var call = calls[key] else { return ([], nil) }
            var served = call.served
            var next = call.waiting
            // Who led has gone away and read nothing: somebody else reads for those who waited with it.
            if case .failure(is CancellationError) = result {
                next = served + next
                served = []
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
        for waiter in served { waiter.resume(returning: .done(result)) }
        leader?.resume(returning: .lead)
    }
}
