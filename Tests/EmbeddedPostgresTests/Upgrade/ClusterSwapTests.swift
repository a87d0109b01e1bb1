import Foundation
import Testing

@testable import EmbeddedPostgres

/// Two directories take each other's place, and whoever does it is killed after each of its steps.
@Suite struct ClusterSwapTests {
    @Test("after a kill behind any step, the next run ends with the new database in place and the old one kept")
    func forward() throws {
        try Self.killed(.forward) { swap, made in
            try swap.perform(all: .forward)
            #expect(made.has("postgres") == "new" && made.has("postgres.previous") == "old")
            #expect(swap.pending == nil && !made.isThere("archive") && made.isThere("postgres.previous.json"))
        }
    }

    @Test("after a kill behind any step of the way back, the old database is in place and the new one is to be removed")
    func back() throws {
        try Self.killed(.back) { swap, made in
            try swap.perform(all: .back)
            #expect(made.has("postgres") == "old" && made.has("postgres.removed") == "new")
            #expect(swap.pending == nil && !made.isThere("postgres.previous") && !made.isThere("archive"))
            #expect(!made.isThere("postgres.previous.json"))
        }
    }

    @Test("nobody opens a database while it changes places") func mark() throws {
        let made = try Made(.forward)
        defer { made.remove() }
        let swap = ClusterSwap(made.paths)
        try swap.requireNone()
        try swap.mark(.forward)
        #expect(swap.pending == .forward)
        #expect(throws: ClusterError.swapUnfinished(directory: made.paths.data)) { try swap.requireNone() }
        try swap.perform(all: .forward)
        try swap.requireNone()
    }

    @Test(
        "when the first rename fails nothing has changed, and the database opens as before",
        arguments: [ClusterSwap.Direction.forward, .back]) func firstFails(_ direction: ClusterSwap.Direction) throws
    {
        let made = try Made(direction)
        defer { made.remove() }
        // A rename of what is not there fails, as that of a mount does, which only root can make.
        try FileManager.default.removeItem(atPath: made.paths.cluster)
        let swap = ClusterSwap(made.paths)
        #expect(throws: ClusterError.self) { try swap.decideAndPerform(direction) }
        try swap.requireNone()
        #expect(made.isThere("archive") && made.isThere("postgres.previous.json"))
    }

    @Test("when a later rename fails, the new database is kept for the next run, which goes on") func laterFails()
        async throws
    {
        try await Scratch.with { scratch in
            try scratch.fakeCluster(version: "15")
            let cluster = try await ExclusiveCluster(scratch.settings)
            let next = scratch.paths.next
            try FileManager.default.createDirectory(atPath: next, withIntermediateDirectories: true)
            await #expect(throws: ClusterError.self) { try await cluster.changePlaces(note: "{}") }
            await cluster.giveUp()
            #expect(FileStatus(next, following: false) != nil && ClusterSwap(scratch.paths).pending == .forward)
            try FileManager.default.createDirectory(atPath: "\(next)/postgres", withIntermediateDirectories: true)
            try ClusterSwap(scratch.paths).perform(all: .forward)
            await cluster.giveUp()
            #expect(FileStatus(next, following: false) == nil)
        }
    }

    /// Ends the swap after 0, 1, 2, ... steps.
    private static func killed(_ direction: ClusterSwap.Direction, _ body: (ClusterSwap, Made) throws -> Void) throws {
        let made = try Made(direction)
        let count = ClusterSwap(made.paths).steps(direction).count
        made.remove()
        // The last step removes the mark, and after it there is nothing left to do.
        for done in 0..<count {
            let made = try Made(direction)
            defer { made.remove() }
            let swap = ClusterSwap(made.paths)
            try swap.mark(direction)
            for step in swap.steps(direction).prefix(done) { try swap.perform(step) }
            #expect(swap.pending == direction)
            try body(swap, made)
        }
    }

    /// A data directory as it is before a swap.
    private struct Made {
        let paths: Paths

        init(_ direction: ClusterSwap.Direction) throws {
            let directory = NSTemporaryDirectory() + "causeboard-swap-" + UUID().uuidString
            paths = Paths(data: directory)
            let sides: [(String, String)] =
                direction == .forward
                ? [(paths.cluster, "old"), ("\(paths.next)/postgres", "new")]
                : [(paths.cluster, "new"), (paths.previous, "old")]
            for (path, text) in sides {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                try text.write(toFile: "\(path)/PG_VERSION", atomically: true, encoding: .utf8)
            }
            for file in [paths.archive, paths.previousNote] {
                try "x".write(toFile: file, atomically: true, encoding: .utf8)
            }
        }

        func has(_ name: String) -> String? {
            try? String(contentsOfFile: "\(paths.data)/\(name)/PG_VERSION", encoding: .utf8)
        }

        func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(paths.data)/\(name)") }

        func remove() { try? FileManager.default.removeItem(atPath: paths.data) }
    }
}
