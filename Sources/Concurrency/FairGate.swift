import Synchronization

/// An error that says that a gate did not run a job.
package protocol GateError: Error, Equatable {
    /// The queue is full, for the job's key or for all. A job of another key may still get in.
    static var crowded: Self { get }
    /// The task was cancelled while it waited.
    static var overloaded: Self { get }
}

extension GateError { var isCrowded: Bool { self == .crowded } }

/// Runs a limited number of jobs at the same time, such as expensive reads or the decoding of pictures. Some more wait;
/// the rest are refused at once. Keys take turns, so that nobody blocks the others: see ``FairQueue``.
///
/// It is specialized for its most frequent key, because other modules call it: otherwise a turn costs twice as much.
package final class FairGate<Key: GateKey>: Sendable {
    /// The answer to a job that asks for a turn.
    package enum Turn: Sendable {
        /// It runs. Call ``leave(_:)`` with this key at its end.
        case granted(of: Key)
        /// The queue is full, for its key or for all.
        case refused
        /// Its task was cancelled while it waited.
        case cancelled
    }

    /// Gets whether its job runs; nil if its task was cancelled.
    private typealias Waiter = CheckedContinuation<Bool?, Never>

    private struct State {
        var queue: FairQueue<Key, Waiter>
        var last: UInt64 = 0
        /// Calls that were cancelled before they joined the queue.
        var cancelled: Set<UInt64> = []
        /// The keys in whose lines calls wait that were moved.
        var moved: [UInt64: Key] = [:]

        /// - Returns: What the waiter gets at once, if it does not wait; and the waiter that is refused to make room.
        mutating func enter(_ key: Key, _ number: UInt64, _ waiter: Waiter) -> (atOnce: Bool??, evicted: Waiter?) {
            if cancelled.remove(number) != nil { return (.some(nil), nil) }
            switch queue.enter(key, number, waiter) {
            case .runs: return (true, nil)
            case .refused: return (false, nil)
            case .waits(let evicted): return (nil, evicted)
            }
        }

        mutating func move(_ number: UInt64, from key: Key, to other: Key) -> Waiter? {
            switch queue.move(number, from: moved[number] ?? key, to: other) {
            case .stays: return nil
            case .waits:
                moved[number] = other
                return nil
            case .runs(let waiter):
                moved[number] = other
                return waiter
            }
        }
    }

    private let state: Mutex<State>

    package init(_ bounds: GateBounds) { state = Mutex(State(queue: FairQueue(bounds))) }

    /// The number of running jobs, and of waiting ones.
    package var counts: (running: Int, waiting: Int) {
        state.withLock { ($0.queue.runningCount, $0.queue.waitingCount) }
    }

    /// Runs a job when it is its turn, without the place of the caller in ``CorePlaces``.
    /// - Throws: `crowded` if the queue is full, `overloaded` if the task is cancelled while it waits, and errors of
    ///   `job`.
    package func run<Value, Failure: GateError>(of key: Key, _ job: () async throws(Failure) -> Value)
        async throws(Failure) -> Value
    {
        try await CorePlaces.givingUp { () async throws(Failure) in
            switch await enter(key) {
            case .granted(let key):
                defer { leave(key) }
                return try await job()
            case .refused: throw .crowded
            case .cancelled: throw .overloaded
            }
        }
    }

    /// Waits for a turn. A call for a ``SharedRead`` waits in the shortest line of the clients that wait for the read.
    /// - Parameter heedsCancellation: Whether it stops waiting when its task is cancelled.
    @_specialize(where Key == ClientKey) package func enter(_ key: Key, heedsCancellation: Bool = true) async -> Turn {
        let number = state.withLock { state -> UInt64? in
            if state.queue.run(key) { return nil }
            state.last += 1
            return state.last
        }
        guard let number else { return .granted(of: key) }
        let shared = Key.self == ClientKey.self ? SharedRead.current : nil
        var listener: Int?
        let runs = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let (atOnce, evicted) = state.withLock { $0.enter(key, number, waiter) }
                evicted?.resume(returning: false)
                if let atOnce { return waiter.resume(returning: atOnce) }
                listener = shared?.listen { [self] client in
                    if let client = client as? Key { move(number, from: key, to: client) }
                }
            }
        } onCancel: {
            guard heedsCancellation else { return }
            let waiter = state.withLock { state -> Waiter? in
                if let waiter = state.queue.remove(number, of: state.moved[number] ?? key) { return waiter }
                state.cancelled.insert(number)
                return nil
            }
            waiter?.resume(returning: nil)
        }
        if let listener { shared?.ignore(listener) }
        // If the cancellation came after the answer, its number is still here.
        let moved = state.withLock { state in
            state.cancelled.remove(number)
            return state.moved.removeValue(forKey: number)
        }
        return runs.map { $0 ? .granted(of: moved ?? key) : .refused } ?? .cancelled
    }

    @_specialize(where Key == ClientKey) package func leave(_ key: Key) {
        let next = state.withLock { $0.queue.leave(key) }
        next?.resume(returning: true)
    }

    private func move(_ number: UInt64, from key: Key, to other: Key) {
        let waiter = state.withLock { $0.move(number, from: key, to: other) }
        waiter?.resume(returning: true)
    }
}

extension FairGate where Key == ClientKey {
    /// Runs a job of the client that this task serves.
    package func run<Value, Failure: GateError>(_ job: () async throws(Failure) -> Value) async throws(Failure) -> Value
    { try await run(of: .current, job) }
}

/// A gate for slow jobs that belong to somebody, such as a player's changes. It runs one job of each owner at a time,
/// and clients take turns, because a client may have many owners.
package struct OwnGate<Owner: GateKey>: Sendable {
    private let owners: FairGate<Owner>
    private let clients: FairGate<ClientKey>
    /// Jobs of one owner that wait for the one that runs. Further ones are refused at once.
    private static var waitingOfOwnerMax: Int { 16 }
    /// The same for all owners. When it is full, those with fewer jobs evict jobs of those with the most.
    private static var waitingOfOwnersMax: Int { 1_024 }

    /// - Parameter bounds: The bounds for each owner's first job. 16 more may wait for each owner.
    package init(_ bounds: GateBounds) {
        owners = FairGate(
            GateBounds(
                runningMax: .max, runningOfKeyMax: 1, waitingMax: Self.waitingOfOwnersMax,
                waitingOfKeyMax: Self.waitingOfOwnerMax))
        clients = FairGate(bounds)
    }

    /// Runs a job when it is its turn.
    /// - Parameter owner: Nil if the owner is unknown.
    /// - Throws: `crowded` if the queue is full, and errors of `job`.
    package func run<Value, Failure: GateError>(of owner: Owner?, _ job: () async throws(Failure) -> Value)
        async throws(Failure) -> Value
    {
        guard let owner else { return try await clients.run(job) }
        return try await owners.run(of: owner) { () async throws(Failure) in try await clients.run(job) }
    }

    /// The number of running jobs, and of jobs that wait for another job of their owner or for their client's turn.
    package var counts: (running: Int, waiting: Int) {
        (clients.counts.running, owners.counts.waiting + clients.counts.waiting)
    }
}
