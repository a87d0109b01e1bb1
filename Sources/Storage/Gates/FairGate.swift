import Domain
import Synchronization

/// Runs a limited number of jobs at the same time, such as expensive reads or the decoding of pictures. Some more wait;
/// the rest are refused at once. Keys take turns, so that nobody blocks the others: see ``FairQueue``.
package final class FairGate<Key: GateKey>: Sendable {
    /// The answer to a job that asks for a turn.
    package enum Turn: Sendable {
        /// It runs. Call ``leave(_:)`` at its end.
        case granted
        /// The queue is full, for its key or for all.
        case refused
        /// Its task was cancelled while it waited.
        case cancelled
    }

    private typealias Waiter = CheckedContinuation<Turn, Never>

    private struct State {
        var queue: FairQueue<Key, Waiter>
        var last: UInt64 = 0
        /// Calls that were cancelled before they joined the queue.
        var cancelled: Set<UInt64> = []

        /// - Returns: The answer, or nil if the job waits; and the waiter that is refused to make room, if any.
        mutating func enter(_ key: Key, _ number: UInt64, _ waiter: Waiter) -> (atOnce: Turn?, evicted: Waiter?) {
            if cancelled.remove(number) != nil { return (.cancelled, nil) }
            switch queue.enter(key, number, waiter) {
            case .runs: return (.granted, nil)
            case .refused: return (.refused, nil)
            case .waits(let evicted): return (nil, evicted)
            }
        }
    }

    private let state: Mutex<State>

    package init(_ bounds: GateBounds) {
        state = Mutex(State(queue: FairQueue(bounds)))
    }

    /// The number of running jobs, and of waiting ones.
    package var counts: (running: Int, waiting: Int) {
        state.withLock { ($0.queue.runningCount, $0.queue.waitingCount) }
    }

    /// Runs a job when it is its turn.
    /// - Throws: `crowded` if the queue is full, `overloaded` if the task is cancelled while it waits, and errors of
    ///   `job`.
    package func run<Value>(
        of key: Key,
        _ job: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        switch await enter(key) {
        case .granted: break
        case .refused: throw .crowded
        case .cancelled: throw .overloaded
        }
        defer { leave(key) }
        return try await job()
    }

    /// Waits for a turn.
    package func enter(_ key: Key) async -> Turn {
        let number = state.withLock { state -> UInt64? in
            if state.queue.run(key) { return nil }
            state.last += 1
            return state.last
        }
        guard let number else { return .granted }
        let turn = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let (atOnce, evicted) = state.withLock { $0.enter(key, number, waiter) }
                evicted?.resume(returning: .refused)
                if let atOnce { waiter.resume(returning: atOnce) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                if let waiter = state.queue.remove(number, of: key) { return waiter }
                state.cancelled.insert(number)
                return nil
            }
            waiter?.resume(returning: .cancelled)
        }
        // If the cancellation came after the answer, its number is still here.
        state.withLock { _ = $0.cancelled.remove(number) }
        return turn
    }

    package func leave(_ key: Key) {
        let next = state.withLock { $0.queue.leave(key) }
        next?.resume(returning: .granted)
    }
}

extension FairGate where Key == ClientKey {
    /// Runs a job of the client that this task serves.
    package func run<Value>(_ job: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        try await run(of: .current, job)
    }
}

/// A gate for slow jobs that belong to somebody, such as a player's changes. It runs one job of each owner at a time,
/// and clients take turns, because a client may have many owners.
package struct OwnGate<Owner: GateKey>: Sendable {
    private let owners: FairGate<Owner>
    private let clients: FairGate<ClientKey>

    /// - Parameter bounds: The bounds for each owner's first job. ``Limits/callsOfPlayerWaitingMax`` more may wait for
    ///   each owner.
    package init(_ bounds: GateBounds) {
        owners = FairGate(
            GateBounds(
                runningMax: .max,
                runningOfKeyMax: 1,
                waitingMax: Limits.callsOfPlayersWaitingMax,
                waitingOfKeyMax: Limits.callsOfPlayerWaitingMax
            )
        )
        clients = FairGate(bounds)
    }

    /// Runs a job when it is its turn.
    /// - Parameter owner: Nil if the owner is unknown.
    /// - Throws: `crowded` if the queue is full, and errors of `job`.
    package func run<Value>(
        of owner: Owner?,
        _ job: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard let owner else { return try await clients.run(job) }
        return try await owners.run(of: owner) { () async throws(StoreError) in try await clients.run(job) }
    }

    /// The number of running jobs, and of jobs that wait for another job of their owner or for their client's turn.
    package var counts: (running: Int, waiting: Int) {
        (clients.counts.running, owners.counts.waiting + clients.counts.waiting)
    }
}
