import Synchronization

/// Runs the jobs of each key one after the other, such as the changes of one player, before they lease a connection:
/// who sends many at once holds one connection, and waits for nobody but itself.
package final class KeyedGate<Key: Hashable & Sendable>: Sendable {
    private struct Waiter {
        let number: UInt64
        let turn: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// Who waits, by the keys of which a job runs; first come, first served.
        var lines: [Key: [Waiter]] = [:]
        var last: UInt64 = 0
        /// Calls that were cancelled before they began to wait.
        var cancelled: Set<UInt64> = []
    }

    private let waitingMax: Int
    private let state = Mutex(State())

    /// - Parameter waitingMax: The most jobs of one key that wait. Further ones are refused at once.
    package init(waitingMax: Int) {
        self.waitingMax = waitingMax
    }

    /// The number of keys of which a job runs, and of jobs that wait.
    package var counts: (running: Int, waiting: Int) {
        state.withLock { state in (state.lines.count, state.lines.values.reduce(0) { $0 + $1.count }) }
    }

    /// Runs a job when it is its turn.
    /// - Throws: `overloaded` when too many of the key wait, or when the task is cancelled while it waits; what `job`
    ///   throws.
    package func run<Value>(
        of key: Key,
        _ job: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard await enter(key) else { throw .overloaded }
        defer { leave(key) }
        return try await job()
    }

    private func enter(_ key: Key) async -> Bool {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        let isGranted = await withTaskCancellationHandler {
            await withCheckedContinuation { (turn: CheckedContinuation<Bool, Never>) in
                let atOnce = state.withLock { state -> Bool? in
                    if state.cancelled.remove(number) != nil { return false }
                    guard let line = state.lines[key] else {
                        state.lines[key] = []
                        return true
                    }
                    guard line.count < waitingMax else { return false }
                    state.lines[key]?.append(Waiter(number: number, turn: turn))
                    return nil
                }
                if let atOnce { turn.resume(returning: atOnce) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.lines[key]?.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.lines[key]?.remove(at: index)
            }
            waiter?.turn.resume(returning: false)
        }
        // A cancellation that came after the turn was granted left its number behind.
        state.withLock { _ = $0.cancelled.remove(number) }
        return isGranted
    }

    private func leave(_ key: Key) {
        let next = state.withLock { state -> Waiter? in
            guard let line = state.lines[key], !line.isEmpty else {
                state.lines[key] = nil
                return nil
            }
            return state.lines[key]?.removeFirst()
        }
        next?.turn.resume(returning: true)
    }
}
