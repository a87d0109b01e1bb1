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

    @Test("a task that prefers a poller runs on its thread, also after waits; others do not")
    func executor() async throws {
        let poller = try Poller.shared()
        func thread() -> pthread_t { pthread_self() }
        let (first, second) = await withTaskExecutorPreference(poller) {
            let first = thread()
            try? await Task.sleep(for: .milliseconds(2))
            return (first, thread())
        }
        let streams = await withTaskExecutorPreference(try Poller.shared(for: .streams)) { thread() }
        #expect(first == second && first != streams && first != thread())
    }

    @Test("no job is lost that many threads add, whether the poller waits or not") func jobs() async throws {
        let poller = try Poller.shared()
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
