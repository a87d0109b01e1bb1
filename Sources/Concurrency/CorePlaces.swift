import Synchronization

/// Limits how many jobs use the processors at the same time. Clients take turns.
///
/// A job gives its place up while it waits for something else, such as a connection to the database or a turn at a
/// ``FairGate``, and waits for a place again before it goes on. So a job that waits keeps no other one from running.
/// Nobody waits for anything else while they have a place, so jobs cannot block each other.
@usableFromInline package final class CorePlaces: Sendable {
    private let gate: FairGate<ClientKey>

    /// - Parameters:
    ///   - runningMax: Jobs that use the processors.
    ///   - runningOfClientMax: Those of one client. Whoever starts jobs limits how many wait.
    package init(runningMax: Int, runningOfClientMax: Int) {
        gate = FairGate(
            GateBounds(
                runningMax: runningMax, runningOfKeyMax: runningOfClientMax, waitingMax: .max, waitingOfKeyMax: .max))
    }

    /// The number of jobs with a place, and of jobs that wait for one.
    package var counts: (running: Int, waiting: Int) { gate.counts }

    /// Runs a job when there is a place. A job that has a place needs no second one.
    /// - Throws: `CancellationError` if the task was cancelled before its turn, and errors of `job`.
    package func run<Value>(_ job: () async throws -> Value) async throws -> Value {
        guard HeldPlace.current == nil else { return try await job() }
        let place = HeldPlace(gate, of: .current)
        await place.take(heedsCancellation: true)
        defer { place.end() }
        try Task.checkCancellation()
        return try await HeldPlace.$current.withValue(place) { try await job() }
    }

    /// Waits without the place that this task's job has, if any. The job then waits for a place again, also if its task
    /// was cancelled: clients that go must not make more jobs run.
    @inlinable package static func givingUp<Value, E: Error>(while wait: () async throws(E) -> Value) async throws(E)
        -> Value
    {
        guard let place = heldPlace else { return try await wait() }
        place.beginWait()
        let value: Value
        do throws(E) { value = try await wait() } catch {
            await place.endWait()
            throw error
        }
        await place.endWait()
        return value
    }

    @usableFromInline static var heldPlace: HeldPlace? { HeldPlace.current }

    /// The place of one job.
    @usableFromInline final class HeldPlace: Sendable {
        private struct State {
            /// The client in whose turn the job got its place; nil while it has none.
            var holder: ClientKey?
            /// Waits that have not ended: one in another, or one of each child task.
            var waitsCount = 0
            /// Whether a task of the job waits for a place.
            var isTaking = false
            /// Whether the job has ended. What outlives it works without a place.
            var hasEnded = false
        }

        @TaskLocal static var current: HeldPlace?

        private let gate: FairGate<ClientKey>
        private let client: ClientKey
        private let state = Mutex(State())

        init(_ gate: FairGate<ClientKey>, of client: ClientKey) { (self.gate, self.client) = (gate, client) }

        /// Waits for a place, unless another child task has it or waits for it: a job that waited for a second one
        /// would wait for itself. Meanwhile this task goes on without a place.
        func take(heedsCancellation: Bool) async {
            let begins = state.withLock { state in
                guard !state.isTaking, !state.hasEnded, state.holder == nil else { return false }
                state.isTaking = true
                return true
            }
            guard begins else { return }
            let turn = await gate.enter(client, heedsCancellation: heedsCancellation)
            let spare: ClientKey? = state.withLock { state in
                state.isTaking = false
                guard case .granted(let holder) = turn else { return nil }
                guard state.waitsCount == 0, !state.hasEnded else { return holder }
                state.holder = holder
                return nil
            }
            if let spare { gate.leave(spare) }
        }

        func end() {
            state.withLock { $0.hasEnded = true }
            giveUp()
        }

        func giveUp() {
            let holder = state.withLock { $0.holder.take() }
            if let holder { gate.leave(holder) }
        }

        @usableFromInline func beginWait() {
            state.withLock { $0.waitsCount += 1 }
            giveUp()
        }

        @usableFromInline func endWait() async {
            let goesOn = state.withLock { state in
                state.waitsCount -= 1
                return state.waitsCount == 0
            }
            if goesOn { await take(heedsCancellation: false) }
        }
    }
}
