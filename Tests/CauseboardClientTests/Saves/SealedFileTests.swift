import Foundation
import TestDice
import Testing

@testable import CauseboardClient

@Suite struct SealedFileTests {
    private let scratch: ScratchDirectory
    private let secrets: SecretFiles

    init() throws {
        scratch = try ScratchDirectory()
        secrets = SecretFiles(directory: scratch.url.appendingPathComponent("secrets"))
    }

    private func file(_ name: String = "progress") throws -> SealedFile {
        try SealedFile(name, in: scratch.url, secrets)
    }

    private func url(_ number: Int, _ name: String = "progress") -> URL {
        scratch.url.appendingPathComponent("\(name).\(number).save")
    }

    @Test("what was written last is read, without findings") func again() throws {
        #expect(try file().read() == (nil, []))
        for number in 1...5 {
            try file().write(Data("state \(number)".utf8))
            let (contents, findings) = try file().read()
            #expect(contents == SealedFile.Contents(bytes: Data("state \(number)".utf8), counter: UInt64(number)))
            #expect(findings.isEmpty)
        }
    }

    @Test("any changed byte of the latest file is noticed, and the state before it is read") func changed() throws {
        try file().write(Data("old".utf8))
        try file().write(Data("new".utf8))
        let good = try Data(contentsOf: url(1))
        for place in good.indices {
            var bad = good
            bad[place] ^= 1
            try bad.write(to: url(1))
            let (contents, findings) = try file().read()
            #expect(contents?.bytes == Data("old".utf8))
            #expect(findings.contains(.older) && findings.count == 2, "byte \(place): \(findings)")
        }
    }

    @Test("a file that was cut anywhere is noticed, and the state before it is read") func cut() throws {
        try file().write(Data("old".utf8))
        try file().write(Data("new state".utf8))
        let good = try Data(contentsOf: url(1))
        for length in 0..<good.count {
            try good.prefix(length).write(to: url(1))
            let (contents, findings) = try file().read()
            #expect(contents?.bytes == Data("old".utf8))
            #expect(findings == [.cut, .older], "\(length) bytes")
        }
    }

    @Test("files that were put back from an older copy are noticed") func older() throws {
        try file().write(Data("1".utf8))
        try file().write(Data("2".utf8))
        let copies = [try Data(contentsOf: url(0)), try Data(contentsOf: url(1))]
        try file().write(Data("3".utf8))
        try copies[0].write(to: url(0))
        #expect(try file().read() == (SealedFile.Contents(bytes: Data("2".utf8), counter: 2), [.older]))
        try file().write(Data("4".utf8))
        #expect(try file().read() == (SealedFile.Contents(bytes: Data("4".utf8), counter: 4), []))
        try copies[0].write(to: url(0))
        try copies[1].write(to: url(1))
        #expect(try file().read().findings == [.older])
    }

    @Test("another save's file and another device's file are noticed") func elsewhere() throws {
        try file().write(Data("mine".utf8))
        try file("other").write(Data("other".utf8))
        try Data(contentsOf: url(0, "other")).write(to: url(0))
        #expect(try file().read() == (nil, [.changed, .older]))
        let stranger = SecretFiles(directory: scratch.url.appendingPathComponent("stranger"))
        #expect(try SealedFile("other", in: scratch.url, stranger).read() == (nil, [.changed]))
    }

    @Test("a state is kept although its counter could not be, and the next one sets the counter right") func counter()
        throws
    {
        try file().write(Data("1".utf8))
        try DurableFiles.$fails.withValue({ _, url in url.path.contains("save-counter") }) {
            try file().write(Data("2".utf8))
        }
        #expect(try file().read() == (SealedFile.Contents(bytes: Data("2".utf8), counter: 2), []))
        try file().write(Data("3".utf8))
        try FileManager.default.removeItem(at: url(0))
        #expect(try file().read().findings == [.older])
    }

    @Test("what was forgotten is gone, and is nobody's when it is put back") func forgotten() throws {
        for number in 1...3 { try file().write(Data("state \(number)".utf8)) }
        let copies = [try Data(contentsOf: url(0)), try Data(contentsOf: url(1))]
        try SealedFile.forgetAll(in: scratch.url, secrets)
        #expect(try file().read() == (nil, []))
        for number in 0...1 { try copies[number].write(to: url(number)) }
        #expect(try file().read() == (nil, [.changed]))
        try file().write(Data("new".utf8))
        #expect(try file().read().contents == SealedFile.Contents(bytes: Data("new".utf8), counter: 1))
    }

    @Test("after a crash between the file and the counter the new state is read, and writing goes on") func crash()
        throws
    {
        try file().write(Data("1".utf8))
        let counter = try secrets.read("save-counter-progress")
        try file().write(Data("2".utf8))
        try secrets.write(try #require(counter), "save-counter-progress")
        #expect(try file().read() == (SealedFile.Contents(bytes: Data("2".utf8), counter: 2), []))
        try file().write(Data("3".utf8))
        #expect(try file().read() == (SealedFile.Contents(bytes: Data("3".utf8), counter: 3), []))
    }
}
