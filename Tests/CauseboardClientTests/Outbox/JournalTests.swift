import Contract
import Foundation
import Synchronization
import TestDice
import Testing

@testable import CauseboardClient

@Suite struct JournalTests {
    @Test("what was appended is there again, in its order, and what is over is not") func again() throws {
        let scratch = try ScratchDirectory()
        let url = scratch.url.appendingPathComponent("outbox")
        let writes = try (1...5).map { try write($0) }
        let journal = try Journal(url)
        _ = try journal.load()
        for write in writes { try journal.append(.queued(write), isDurable: true) }
        try journal.append(.sent(writes[0].id), isDurable: true)
        let refused = RefusedWrite(write: writes[2], refusal: RequestRefusal(.outOfBounds, "Too much.", status: 422))
        try journal.append(.refused(refused), isDurable: true)
        journal.close()
        let contents = try Journal(url).load()
        #expect(contents.pending == [writes[1], writes[3], writes[4]])
        #expect(contents.refused == [refused])
        #expect(contents.damagedLines == 0)
    }

    @Test("a journal that was cut anywhere gives every line before the cut, and takes more") func torn() throws {
        let scratch = try ScratchDirectory()
        let url = scratch.url.appendingPathComponent("outbox")
        let writes = try (1...4).map { try write($0) }
        var ends: [Int] = []
        let journal = try Journal(url)
        _ = try journal.load()
        for write in writes {
            try journal.append(.queued(write), isDurable: true)
            ends.append(try Data(contentsOf: url).count)
        }
        journal.close()
        let whole = try Data(contentsOf: url)
        let late = try write(9)
        for length in 0...whole.count {
            try whole.prefix(length).write(to: url)
            let cut = try Journal(url)
            let kept = ends.count { $0 <= length }
            let contents = try cut.load()
            #expect(contents.pending == Array(writes.prefix(kept)))
            #expect(contents.isTorn == !(length == 0 || ends.contains(length)))
            #expect(contents.damagedLines == 0)
            try cut.append(.queued(late), isDurable: true)
            cut.close()
            let again = try Journal(url)
            #expect(try again.load().pending == Array(writes.prefix(kept)) + [late])
            again.close()
        }
    }

    @Test("a damaged byte costs the line that it is in and no other", arguments: Dice.seeds(1...20)) func damaged(
        seed: UInt64
    ) throws {
        var dice = Dice(seed: seed)
        let scratch = try ScratchDirectory()
        let url = scratch.url.appendingPathComponent("outbox")
        let writes = try (1...8).map { try write($0) }
        let journal = try Journal(url)
        _ = try journal.load()
        for write in writes { try journal.append(.queued(write), isDurable: true) }
        journal.close()
        var data = try Data(contentsOf: url)
        let place = Int.random(in: 0..<data.count - 1, using: &dice)
        let hit = data[..<place].count { $0 == UInt8(ascii: "\n") }
        let isLineFeed = data[place] == UInt8(ascii: "\n")
        data[place] ^= 1 << UInt8.random(in: 0..<7, using: &dice)
        try data.write(to: url)
        let contents = try Journal(url).load()
        // Without its line feed a line becomes one with the next.
        let lost = isLineFeed ? hit...hit + 1 : hit...hit
        #expect(contents.pending == writes.indices.filter { !lost.contains($0) }.map { writes[$0] }, "seed \(seed)")
        #expect(contents.damagedLines >= 1)
    }

    @Test("a journal that says mostly what is over is written anew, with what is left") func compacted() throws {
        let scratch = try ScratchDirectory()
        let url = scratch.url.appendingPathComponent("outbox")
        let left = try write(1)
        let refused = RefusedWrite(write: try write(3), refusal: RequestRefusal(.outOfBounds, "No.", status: 422))
        let journal = try Journal(url)
        _ = try journal.load()
        try journal.append(.queued(left), isDurable: true)
        try journal.append(.refused(refused), isDurable: true)
        for number in 0...Limits.journalStaleLinesMax / 2 {
            let write = try write(number)
            try journal.append(.queued(write), isDurable: false)
            try journal.append(.sent(write.id), isDurable: false)
        }
        let before = try Data(contentsOf: url).count
        try journal.compact(pending: [left], refused: [refused])
        #expect(try Data(contentsOf: url).count < before / 100)
        let late = try write(2)
        try journal.append(.queued(late), isDurable: true)
        journal.close()
        let contents = try Journal(url).load()
        #expect(contents.pending == [left, late] && contents.refused == [refused])
    }

    @Test("a damaged line is put aside before the journal is written anew") func damagedIsKept() throws {
        let scratch = try ScratchDirectory()
        let url = scratch.url.appendingPathComponent("outbox")
        var journal = try Journal(url)
        _ = try journal.load()
        for number in 0...Limits.journalStaleLinesMax {
            try journal.append(.dismissed(try write(number).id), isDurable: false)
        }
        journal.close()
        var data = try Data(contentsOf: url)
        data[data.startIndex + 40] ^= 1
        try data.write(to: url)
        journal = try Journal(url)
        #expect(try journal.load().damagedLines == 1)
        try journal.compact(pending: [], refused: [])
        journal.close()
        #expect(try Data(contentsOf: url.appendingPathExtension("damaged-1")) == data)
        #expect(try Data(contentsOf: url).isEmpty)
    }

    @Test("a compaction whose last step fails leaves a journal that goes on and loses nothing") func compactionFails()
        throws
    {
        let scratch = try ScratchDirectory()
        let url = scratch.url.appendingPathComponent("outbox")
        let left = try write(1)
        for operation in [DurableFiles.Operation.write, .synchronize, .synchronizeDirectory] {
            try? FileManager.default.removeItem(at: url)
            let journal = try Journal(url)
            _ = try journal.load()
            try journal.append(.queued(left), isDurable: true)
            for number in 0...Limits.journalStaleLinesMax / 2 {
                let write = try write(number)
                try journal.append(.queued(write), isDurable: false)
                try journal.append(.sent(write.id), isDurable: false)
            }
            #expect(throws: CauseboardError.self, "\(operation)") {
                try DurableFiles.$fails.withValue({ done, _ in done == operation }) {
                    try journal.compact(pending: [left], refused: [])
                }
            }
            let late = try write(2)
            if operation == .synchronizeDirectory {
                // The new file's name is not on disk, so nothing that is in it is either.
                #expect(throws: CauseboardError.self) {
                    try DurableFiles.$fails.withValue({ done, _ in done == operation }) {
                        try journal.append(.queued(late), isDurable: true)
                    }
                }
            }
            try journal.append(.queued(late), isDurable: true)
            journal.close()
            #expect(try Journal(url).load().pending == [left, late], "\(operation)")
        }
    }

    @Test("what a full disk took of a line is cut off before the next, also when that fails at first")
    func partOfALine() throws {
        let scratch = try ScratchDirectory()
        let url = scratch.url.appendingPathComponent("outbox")
        let writes = try (1...3).map { try write($0) }
        let journal = try Journal(url)
        _ = try journal.load()
        try journal.append(.queued(writes[0]), isDurable: true)
        DurableFiles.$fails.withValue({ done, _ in done == .write || done == .truncate }) {
            #expect(throws: CauseboardError.self) { try journal.append(.queued(writes[1]), isDurable: true) }
        }
        DurableFiles.$fails.withValue({ done, _ in done == .truncate }) {
            #expect(throws: CauseboardError.self) { try journal.append(.queued(writes[1]), isDurable: true) }
        }
        try journal.append(.queued(writes[2]), isDurable: true)
        journal.close()
        let contents = try Journal(url).load()
        #expect(contents.pending == [writes[0], writes[2]])
        #expect(contents.damagedLines == 0)
    }

    @Test("the names of new directories and of the journal are on disk before anything is taken") func names() throws {
        let scratch = try ScratchDirectory()
        let asked = Mutex<[String]>([])
        let directory = scratch.url.appendingPathComponent("a/b/c")
        let url = directory.appendingPathComponent("outbox")
        try DurableFiles.$fails.withValue({ done, url in
            if done == .synchronizeDirectory { asked.withLock { $0.append(url.standardizedFileURL.path) } }
            return false
        }) {
            try DurableFiles.makeDirectory(directory)
            let above = ["", "/a", "/a/b"].map { scratch.url.standardizedFileURL.path + $0 }
            #expect(asked.withLock { $0.sorted() } == above)
            // Also when the file was made by a start that ended before its name was on disk.
            for _ in 1...2 {
                asked.withLock { $0 = [] }
                let journal = try Journal(url)
                _ = try journal.load()
                journal.close()
                #expect(asked.withLock { $0 } == [directory.standardizedFileURL.path])
            }
        }
    }

    @Test("a line that could not be read again is not written") func tooLong() throws {
        let scratch = try ScratchDirectory()
        let url = scratch.url.appendingPathComponent("outbox")
        let journal = try Journal(url)
        _ = try journal.load()
        let text = String(repeating: "x", count: Limits.journalLineBytesMax)
        let refused = RefusedWrite(write: try write(1), refusal: RequestRefusal(nil, text))
        #expect(throws: CauseboardError.self) { try journal.append(.refused(refused), isDurable: true) }
        #expect(try Data(contentsOf: url).isEmpty)
        journal.close()
    }

    @Test(
        "the longest refusal that a server can send is read again",
        arguments: [
            String(repeating: "\u{1}", count: 100_000), String(repeating: "👩‍👩‍👧‍👦", count: 5_000),
            "e" + String(repeating: "\u{301}", count: 50_000),
        ]) func longRefusal(detail: String) throws
    {
        let scratch = try ScratchDirectory()
        let url = scratch.url.appendingPathComponent("outbox")
        let journal = try Journal(url)
        _ = try journal.load()
        let reply = ProblemReply(type: "/problems/out-of-bounds", status: 422, detail: detail, request: detail)
        let refused = RefusedWrite(write: try write(1), refusal: RequestRefusal(reply))
        try journal.append(.queued(refused.write), isDurable: true)
        try journal.append(.refused(refused), isDurable: true)
        journal.close()
        let contents = try Journal(url).load()
        #expect(contents.refused == [refused])
        #expect(contents.pending.isEmpty && contents.damagedLines == 0)
    }

    private func write(_ points: Int) throws -> PendingWrite {
        try .donation(Int64(points + 1), charity: "red-cross", anonymous: points.isMultiple(of: 2))
    }
}
