import Foundation
import Testing

@testable import Postgres

@Suite struct PollerTests {
    /// The descriptors of this process that watch others.
    private static func epollsCount() throws -> Int {
        let folder = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == "anon_inode:[eventpoll]"
        }
    }

    @Test("a poller that gets no thread keeps no descriptor") func noThread() throws {
        let before = try Self.epollsCount()
        for _ in 0..<200 {
            #expect(throws: PostgresError.self) {
                try Poller.started { _ throws(PostgresError) in
                    throw PostgresError(.insufficientResources, safeToRetry: true, message: "no thread")
                }
            }
        }
        // Other tests of this process may have begun to watch something meanwhile, but not 200 of them.
        #expect(try Self.epollsCount() < before + 100)
    }

    /// Names the thread that calls it.
    private static func thread() -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    }

    @Test("a task that prefers a poller runs on its thread, also after waits, and leaves it afterwards") func executor()
        async throws
    {
        let (poller, other) = (try Poller.shared(), try Poller.shared(for: .streams))
        let (first, second) = await withTaskExecutorPreference(poller) {
            let first = Self.thread()
            try? await Task.sleep(for: .milliseconds(2))
            return (first, Self.thread())
        }
        let between = Self.thread()
        let third = await withTaskExecutorPreference(other) { Self.thread() }
        let last = Self.thread()
        #expect(first != nil && first == second && first != third)
        #expect(between != first && between != third && last != first && last != third)
    }

    @Test("no job is lost that many threads add, whether the poller waits or not", .timeLimit(.minutes(5))) func jobs()
        async throws
    {
        // One that nobody else wakes.
        let poller = try Poller.started { work throws(PostgresError) in try HelperThread.start(work) }
        let done = await withTaskGroup { group in
            for adder in 0..<8 {
                group.addTask {
                    var done = 0
                    for turn in 0..<500 {
                        if turn % 50 == adder { try? await Task.sleep(for: .microseconds(300)) }
                        done += await withTaskExecutorPreference(poller) {
                            await Task.yield()
                            return 1
                        }
                    }
                    return done
                }
            }
            return await group.reduce(0, +)
        }
        #expect(done == 4_000)
    }
}
