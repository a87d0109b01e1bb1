import Foundation
import TestDice
import Testing

@testable import CauseboardClient

/// Ten thousand times somebody does something to the files of a save, and a reader who knows every file that was ever
/// written says what must come of it.
@Suite struct ForgeryTests {
    /// What is done to the files. Every kind changes the latest state, so none may stay unnoticed.
    enum Kind: String, CaseIterable {
        case edited, cut, grown, rolledBack, olderInItsPlace, removed, ofAnotherSlot, ofAnotherDevice, raisedCounter
        case spliced
    }

    struct Count: Equatable {
        var done = 0
        /// Reading said that something is wrong.
        var noticed = 0
        /// The best state that was left was read.
        var lastGood = 0
        /// What was read passed for the latest state and was not.
        var taken = 0
    }

    private static let perKind = 1_000

    @Test("of ten thousand edits, cuts and roll-backs none is taken for good", arguments: Dice.seeds(1)) func forgeries(
        seed: UInt64
    ) async throws {
        var dice = Dice(seed: seed)
        let shop = try Shop()
        for _ in 0..<4 { try shop.write(&dice) }
        var counts: [Kind: Count] = [:]
        for number in 0..<Kind.allCases.count * Self.perKind {
            // Files keep a thread busy, of which the tests have few.
            if number % 20 == 0 { try await Task.sleep(for: .milliseconds(1)) }
            let kind = Kind.allCases[number % Kind.allCases.count]
            let before = shop.files
            try shop.forge(kind, &dice)
            let (contents, findings) = try shop.file.read()
            let best = shop.bestLeft
            counts[kind, default: Count()].done += 1
            if !findings.isEmpty { counts[kind, default: Count()].noticed += 1 }
            if contents == best { counts[kind, default: Count()].lastGood += 1 }
            if contents != shop.latest, !findings.contains(.older) { counts[kind, default: Count()].taken += 1 }
            if number % 199 == 0 {
                // The game goes on from what was read.
                try shop.write(&dice)
                let (goesOn, findings) = try shop.file.read()
                #expect(goesOn == shop.latest && !findings.contains(.older), "seed \(seed)")
                try shop.write(&dice)
                #expect(try shop.file.read() == (shop.latest, []), "seed \(seed): both files are good again")
            } else {
                shop.files = before
            }
        }
        let all = Count(done: Self.perKind, noticed: Self.perKind, lastGood: Self.perKind, taken: 0)
        #expect(counts == Dictionary(uniqueKeysWithValues: Kind.allCases.map { ($0, all) }), "seed \(seed)")
        #expect(counts.values.reduce(0) { $0 + $1.done } == 10_000)
    }
}

/// A save, the files of two others, and all that was ever written.
private final class Shop {
    let file: SealedFile
    private let other: SealedFile
    private let stranger: SealedFile
    private let scratch: ScratchDirectory
    private let urls: [URL]
    private let otherURLs: [URL]
    private let strangerURLs: [URL]
    /// Every file that was ever whole, with what it says.
    private var genuine: [Data: SealedFile.Contents] = [:]
    /// The files after each write, oldest first.
    private var history: [[Data?]] = []
    private(set) var latest: SealedFile.Contents?

    init() throws {
        let scratch = try ScratchDirectory()
        self.scratch = scratch
        func make(_ name: String, _ device: String) throws -> (SealedFile, [URL]) {
            let directory = scratch.url.appendingPathComponent(device)
            let secrets = SecretFiles(directory: directory.appendingPathComponent("secrets"))
            let file = try SealedFile(name, in: directory, secrets)
            return (file, ["0", "1"].map { directory.appendingPathComponent("\(name).\($0).save") })
        }
        (file, urls) = try make("journey", "mine")
        (other, otherURLs) = try make("other", "mine")
        (stranger, strangerURLs) = try make("journey", "theirs")
    }

    /// The bytes of the two files; nil for none. What is set here is on disk, too.
    var files: [Data?] = [nil, nil] {
        didSet { for place in urls.indices where files[place] != oldValue[place] { put(files[place], urls[place]) } }
    }

    private func put(_ bytes: Data?, _ url: URL) {
        guard let bytes else {
            #expect(unlink(url.path) == 0 || errno == ENOENT)
            return
        }
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        #expect(descriptor >= 0 && DurableFiles.writeAll(bytes, to: descriptor))
        close(descriptor)
    }

    /// The latest of the states whose files are as they were written.
    var bestLeft: SealedFile.Contents? {
        files.compactMap { $0.flatMap { genuine[$0] } }.max { $0.counter < $1.counter }
    }

    func write(_ dice: inout Dice) throws {
        let state = Data(
            (0..<Int.random(in: 0...300, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) })
        // Some of others are enough, and each waits for the disk.
        if history.count < 4 { for file in [other, stranger] { try file.write(Self.numbered(history.count, state)) } }
        let bytes = Self.numbered(history.count, state)
        let before = files
        try file.write(bytes)
        files = urls.map { try? Data(contentsOf: $0) }
        let contents = SealedFile.Contents(bytes: bytes, counter: (try file.read().contents)?.counter ?? 0)
        for (old, new) in zip(before, files) where old != new { if let new { genuine[new] = contents } }
        latest = contents
        history.append(files)
        if history.count > 50 { history.removeFirst() }
    }

    private static func numbered(_ number: Int, _ state: Data) -> Data { Data("\(number) ".utf8) + state }

    /// Which of the two files has the latest state.
    private func latestPlace() throws -> Int {
        let place = files.firstIndex { $0.flatMap { genuine[$0] } == latest }
        return try #require(place)
    }

    func forge(_ kind: ForgeryTests.Kind, _ dice: inout Dice) throws {
        let place = try latestPlace()
        let good = try #require(files[place])
        switch kind {
        case .edited: files[place] = edited(good, &dice)
        case .cut:
            files[place] = good.prefix(Int.random(in: 0..<good.count, using: &dice))
            if dice.percent(20) { files[1 - place] = files[1 - place]?.prefix(Int.random(in: 0..<50, using: &dice)) }
        case .grown:
            let more = (1...Int.random(in: 1...64, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
            files[place] = good + Data(more)
        case .rolledBack: files = try #require(history.dropLast().randomElement(using: &dice))
        case .olderInItsPlace:
            let older = history.compactMap { $0[place] }.filter { $0 != good }
            files[place] = older.randomElement(using: &dice)
        case .removed:
            files[place] = nil
            if dice.percent(20) { files[1 - place] = nil }
        case .ofAnotherSlot: files[place] = try Data(contentsOf: dice.pick(otherURLs))
        case .ofAnotherDevice: files[place] = try Data(contentsOf: dice.pick(strangerURLs))
        case .raisedCounter:
            // An older file says that it is the newest.
            var bytes = try #require(files[1 - place])
            bytes[8 + Int.random(in: 0..<8, using: &dice)] = UInt8.random(in: 1...255, using: &dice)
            files[place] = bytes == files[1 - place] ? edited(bytes, &dice) : bytes
        case .spliced:
            // The head and the code of one, the bytes of another.
            let old = try #require(files[1 - place])
            files[place] = good.prefix(24) + old.dropFirst(24).dropLast(32) + good.suffix(32)
        }
    }

    /// Other bytes in up to eight places.
    private func edited(_ good: Data, _ dice: inout Dice) -> Data {
        var bytes = good
        while bytes == good {
            for _ in 0..<Int.random(in: 1...8, using: &dice) {
                bytes[Int.random(in: bytes.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
            }
        }
        return bytes
    }
}
