import Domain
import Foundation
import Testing

@testable import Backup

@Suite struct BackupReaderTests {
    private static let noon = Instant(microsecondsSince1970: 1_795_348_800_000_000)
    private static let manifest = BackupManifest(
        program: "test", schema: 29, postgresql: 150_018, moment: "2026-11-22T12:00:00Z", position: "0/3000028",
        sums: [BackupManifest.Sum(subject: "scores", rows: 3, points: "18446744073709551616")])
    private static let secret = Array("secret\n".utf8)
    private static let erasures = Array("1 x y\n".utf8)

    /// A whole backup of a database of this many bytes.
    private func made(_ scratch: Scratch, databaseBytes: Int, _ name: String = "whole") throws -> [UInt8] {
        let content = (0..<databaseBytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        let dump = try Descriptor(reading: try scratch.write(content, "dump"))
        let file = try NewFile("\(scratch.root)/\(name)", mayReplace: true)
        let writer = try BackupWriter(
            file.descriptor, path: file.path, now: Self.noon, secret: Self.secret, erasures: Self.erasures)
        try writer.addDatabase(from: dump) { _ in }
        try writer.finish(Self.manifest)
        try file.finish()
        let bytes = try scratch.read(name)
        #expect(bytes.count == writer.bytes)
        return bytes
    }

    private func failure(_ scratch: Scratch, _ bytes: [UInt8]) throws -> BackupError? {
        let path = try scratch.write(bytes, "changed")
        do throws(BackupError) {
            _ = try BackupReader(path)
            return nil
        } catch { return error }
    }

    @Test("what was written is read again, the database in pieces", arguments: [1, 700, (16 << 20) + 5]) func whole(
        databaseBytes: Int
    ) throws {
        try Scratch.with { scratch in
            _ = try made(scratch, databaseBytes: databaseBytes)
            let reader = try BackupReader("\(scratch.root)/whole")
            #expect(reader.secret == Self.secret && reader.erasures == Self.erasures)
            #expect(reader.manifest.sums == Self.manifest.sums && reader.manifest.postgresqlMajor == 15)
            let restored = try NewFile("\(scratch.root)/restored", mayReplace: false)
            try reader.writeDatabase(to: restored.descriptor)
            try restored.finish()
            #expect(try scratch.read("restored") == scratch.read("dump"))
            #expect(scratch.names == ["dump", "restored", "whole"])
        }
    }

    @Test("no changed bit of a backup goes unnoticed, wherever it is") func bits() throws {
        try Scratch.with { scratch in
            let bytes = try made(scratch, databaseBytes: 700)
            // All bytes would take long; every fifth meets each field of each header.
            for index in stride(from: 0, to: bytes.count, by: 5) {
                var changed = bytes
                changed[index] ^= 1 << UInt8(index % 8)
                #expect(try failure(scratch, changed) != nil, "byte \(index)")
            }
        }
    }

    @Test("a backup that ends early is cut, wherever it ends, and what follows its end is told") func everyLength()
        throws
    {
        try Scratch.with { scratch in
            let bytes = try made(scratch, databaseBytes: 700)
            for count in stride(from: 0, to: bytes.count, by: 97) {
                guard case .cut(_, count, _) = try failure(scratch, Array(bytes[..<count])) else {
                    Issue.record("\(count) bytes of \(bytes.count)")
                    continue
                }
            }
            guard case .tail = try failure(scratch, bytes + [0]) else {
                Issue.record("one more byte")
                return
            }
        }
    }

    @Test("a damaged part is named, with its checksum and the one that it should have") func named() throws {
        try Scratch.with { scratch in
            let bytes = try made(scratch, databaseBytes: 700)
            for (name, content) in [("secret", Self.secret), ("erasures", Self.erasures)] {
                let place = try #require(bytes.firstRange(of: content))
                var changed = bytes
                changed[place.lowerBound] ^= 1
                var damaged = content
                damaged[0] ^= 1
                #expect(
                    try failure(scratch, changed)
                        == .part(
                            "\(scratch.root)/changed", name: name, expected: hexDigest(content), got: hexDigest(damaged)
                        ))
            }
        }
    }

    @Test("another format is refused by its number, and what is no backup as such") func others() throws {
        try Scratch.with { scratch in
            var bytes = try made(scratch, databaseBytes: 700)
            let words = try #require(bytes.firstRange(of: Array("causeboard backup 1".utf8)))
            bytes[words.upperBound - 1] = UInt8(ascii: "7")
            #expect(try failure(scratch, bytes) == .otherFormat("\(scratch.root)/changed", format: 7))
            let other = [UInt8](repeating: 65, count: 2_000)
            #expect(try failure(scratch, other) == .notABackup("\(scratch.root)/changed"))
        }
    }

    @Test("a file that is not finished is not there, and none is overwritten unless that is wanted") func unfinished()
        throws
    {
        try Scratch.with { scratch in
            do {
                let file = try NewFile("\(scratch.root)/new", mayReplace: false)
                try file.descriptor.write([1], to: file.path)
            }
            #expect(scratch.names == [])
            _ = try scratch.write([1], "new")
            #expect(throws: BackupError.exists("\(scratch.root)/new")) {
                _ = try NewFile("\(scratch.root)/new", mayReplace: false)
            }
            // Somebody else is first.
            let late = try NewFile("\(scratch.root)/late", mayReplace: false)
            _ = try scratch.write([2], "late")
            #expect(throws: BackupError.exists("\(scratch.root)/late")) { try late.finish() }
            #expect(try scratch.read("late") == [2])
        }
    }
}
