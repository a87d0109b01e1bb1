import Concurrency
import Testing

/// All tasks run on one actor. Each runs until it suspends, so the test knows whether one had to wait.
@MainActor @Suite struct AsyncSignalTests {
    /// A task that waits for a signal, and whether it has come out of the wait.
    @MainActor final class Waiter {
        private(set) var hasBegun = false
        private(set) var wasWoken = false
        private var task: Task<Void, Never>?

        /// Returns once the task waits, or did not have to.
        init(_ signal: AsyncSignal) async {
            task = Task {
                hasBegun = true
                await signal.wait()
                wasWoken = true
            }
            while !hasBegun { await Task.yield() }
        }

        /// Waits for the end of the wait, which may come a moment after the signal on a busy machine.
        func wakes() async -> Bool {
            let deadline = ContinuousClock.now + .seconds(60)
            while !wasWoken, ContinuousClock.now < deadline { await Task.yield() }
            return wasWoken
        }

        func cancel() { task?.cancel() }
        func end() async { await task?.value }
    }

    @Test("a wait lasts until a signal") func waits() async {
        let signal = AsyncSignal()
        let waiter = await Waiter(signal)
        #expect(!waiter.wasWoken)
        signal.signal()
        await waiter.end()
        #expect(waiter.wasWoken)
    }

    @Test("a signal that nobody waits for is remembered") func remembered() async {
        let signal = AsyncSignal()
        signal.signal()
        let waiter = await Waiter(signal)
        #expect(await waiter.wakes())
    }

    @Test("signals that nobody waits for are remembered as one") func rememberedOnce() async {
        let signal = AsyncSignal()
        signal.signal()
        signal.signal()
        await signal.wait()
        let second = await Waiter(signal)
        #expect(!second.wasWoken)
        signal.signal()
        await second.end()
    }

    @Test("a signal that woke a task is not remembered") func spent() async {
        let signal = AsyncSignal()
        let first = await Waiter(signal)
        signal.signal()
        await first.end()
        let second = await Waiter(signal)
        #expect(!second.wasWoken)
        signal.signal()
        await second.end()
    }

    @Test("cancellation ends a wait, and the next one lasts until a signal again") func cancelled() async {
        let signal = AsyncSignal()
        let first = await Waiter(signal)
        first.cancel()
        await first.end()
        let second = await Waiter(signal)
        #expect(!second.wasWoken)
        signal.signal()
        await second.end()
    }

    @Test("a cancelled task does not wait, and what it leaves is no signal") func cancelledBefore() async {
        let signal = AsyncSignal()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await signal.wait()
        }
        await task.value
        let second = await Waiter(signal)
        #expect(!second.wasWoken)
        signal.signal()
        await second.end()
    }

    @Test("two tasks on threads of their own wake each other in turn, and no signal is lost") func inTurn() async {
        let (ping, pong) = (AsyncSignal(), AsyncSignal())
        let rounds = 5_000
        await withTaskGroup(of: Int.self) { group in
            group.addTask { @concurrent in
                for _ in 0..<rounds {
                    ping.signal()
                    await pong.wait()
                }
                return rounds
            }
            group.addTask { @concurrent in
                for _ in 0..<rounds {
                    await ping.wait()
                    pong.signal()
                }
                return rounds
            }
            var sum = 0
            for await count in group { sum += count }
            #expect(sum == 2 * rounds)
        }
    }
}
