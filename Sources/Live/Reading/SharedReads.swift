import Synchronization

/// Lets those who ask for the same at the same time share one reading, and nobody gets an answer older than the question: who comes while a reading
/// is under way waits for the next one, which begins as soon as this one ends and serves all who wait.
package final class SharedReads<Value: Sendable>: Sendable {
    private typealias Seat = CheckedContinuation<Turn, Never>

    private enum Turn: Sendable {
        /// Read, for yourself and for those who wait with you.
        case lead
        case done(Result<Value, any Error>)
    }

    private struct Desk {
        /// Served by the reading that is under way.
        var served: [Seat] = []
        /// Came after it had begun.
        var waiting: [Seat] = []
    }

    private let desks = Mutex<[String: Desk]>([:])

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
        desks.withLock { desks in
            guard desks[key] == nil else { return false }
            desks[key] = Desk()
            return true
        }
    }

    private func turn(for key: String) async -> Turn {
        await withCheckedContinuation { seat in
            let leadsAtOnce = desks.withLock { desks in
                // The reading may have ended since.
                guard desks[key] != nil else {
                    desks[key] = Desk()
                    return true
                }
                desks[key]?.waiting.append(seat)
                return false
            }
            if leadsAtOnce { seat.resume(returning: .lead) }
        }
    }

    private func finish(_ key: String, _ result: Result<Value, any Error>) {
        let (served, leader) = desks.withLock { desks -> ([Seat], Seat?) in
            guard var desk = desks[key] else { return ([], nil) }
            var served = desk.served
            var next = desk.waiting
            // Who led has gone away and read nothing: somebody else reads for those who waited with it.
            if case .failure(is CancellationError) = result {
                next = served + next
                served = []
            }
            guard !next.isEmpty else {
                desks[key] = nil
                return (served, nil)
            }
            let leader = next.removeFirst()
            desk.served = next
            desk.waiting = []
            desks[key] = desk
            return (served, leader)
        }
        for seat in served { seat.resume(returning: .done(result)) }
        leader?.resume(returning: .lead)
    }
}
