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
}
