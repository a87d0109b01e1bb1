import Domain
import Foundation
import Testing

@testable import Backup

@Suite struct WALArchiveTests {
    private static let name = "000000010000000A000000FE"

    @Test("names are those of PostgreSQL, and nothing else is taken") func names() {
        #expect(WALName(Self.name) == .segment(timeline: 1, number: 10 * 256 + 254))
        #expect(WALName("00000002.history") == .history(timeline: 2))
        #expect(WALName("\(Self.name).partial") == .other)
        #expect(WALName("\(Self.name).00000028.backup") == .other)
        for name in [
            "", "..", "/etc/passwd", "00000001", "\(Self.name)0", "\(Self.name).00000028.backup.", "\(Self.name).x",
            "000000010000000A00000100", "00000002.history/..", "0000000x.history", "\(Self.name).0000002g.backup",
        ] { #expect(WALName(name) == nil, "\(name)") }
        #expect(WALName.segment(of: "A/FE000028") == 10 * 256 + 254)
        #expect(WALName.segment(of: "A") == nil && WALName.segment(of: "A/x") == nil)
    }

    @Test("a file is kept once; the same again is no trouble, and another one of its name is refused") func keeping()
        throws
    {
        try Scratch.with { scratch in
            let archive = WALArchive(scratch.root)
            let content = [UInt8](repeating: 7, count: 3 << 20)
            let source = try scratch.write(content, "source")
            try archive.keep(source, as: Self.name)
            try archive.keep(source, as: Self.name)
            #expect(throws: ArchiveError.differs("\(scratch.root)/\(Self.name).gz")) {
                try archive.keep(scratch.write([8], "source"), as: Self.name)
            }
            #expect(throws: ArchiveError.notOfLog("../x")) { try archive.keep(source, as: "../x") }
            #expect(try archive.fetch(Self.name, to: "\(scratch.root)/target"))
            #expect(try scratch.read("target") == content)
            #expect(try !archive.fetch("000000010000000A000000FF", to: "\(scratch.root)/target"))
            #expect(scratch.names == ["\(Self.name).gz", "source", "target"])
        }
    }

    @Test("a kept file that is cut or changed is not handed out") func damaged() throws {
        try Scratch.with { scratch in
            let archive = WALArchive(scratch.root)
            try archive.keep(try scratch.write(Array(0..<40), "source"), as: Self.name)
            let whole = try scratch.read("\(Self.name).gz")
            var refused = 0
            for index in whole.indices {
                var changed = whole
                changed[index] ^= 0x10
                _ = try scratch.write(changed, "\(Self.name).gz")
                do {
                    // Some bits mean nothing, such as those of a time; then what comes out is right.
                    #expect(try archive.fetch(Self.name, to: "\(scratch.root)/target"))
                    #expect(try scratch.read("target") == Array(0..<40), "\(index)")
                } catch let error as ArchiveError {
                    #expect(error == .damaged("\(scratch.root)/\(Self.name).gz"))
                    refused += 1
                }
            }
            #expect(refused >= 40)
            for count in whole.indices {
                _ = try scratch.write(Array(whole[..<count]), "\(Self.name).gz")
                #expect(throws: ArchiveError.self, "\(count)") {
                    try archive.fetch(Self.name, to: "\(scratch.root)/target")
                }
            }
        }
    }

    @Test("a segment that is missing between others is named; old ones go, whatever their timeline") func gaps() throws
    {
        try Scratch.with { scratch in
            let wal = "\(scratch.root)/wal"
            try FileManager.default.createDirectory(atPath: wal, withIntermediateDirectories: true)
            let archive = WALArchive(wal)
            let source = try scratch.write([1], "source")
            for name in [
                "000000010000000000000003", "000000010000000000000004", "000000020000000000000004",
                "000000020000000000000005", "000000020000000000000007", "00000002.history",
            ] { try archive.keep(source, as: name) }
            #expect(throws: ArchiveError.gap(directory: scratch.root, number: 6, newest: 7)) {
                try archive.requireAll(from: 3)
            }
            #expect(throws: ArchiveError.gap(directory: scratch.root, number: 9, newest: 9)) {
                try archive.requireAll(from: 9)
            }
            try archive.requireAll(from: 7)
            archive.prune(before: 5, now: 0)
            #expect(
                fileNames(in: wal).sorted() == [
                    "00000002.history.gz", "000000020000000000000005.gz", "000000020000000000000007.gz",
                ])
        }
    }

    @Test("the base backup of a moment is the newest one before it") func bases() throws {
        try Scratch.with { scratch in
            let layout = ArchiveLayout(scratch.root)
            #expect(throws: ArchiveError.noBase(directory: scratch.root, oldest: nil)) { try layout.base(for: nil) }
            for name in ["20261122T100000.000000Z", "20261120T100000.000250Z", "20261121T100000.unfinished", "x"] {
                try FileManager.default.createDirectory(
                    atPath: "\(layout.bases)/\(name)", withIntermediateDirectories: true)
            }
            let text = #"{"WAL-Ranges": [{ "Timeline": 1, "Start-LSN": "1/2000028", "End-LSN": "1/2000100" }]}"#
            _ = try scratch.write(Array(text.utf8), "base/20261122T100000.000000Z/backup_manifest")
            #expect(layout.complete.count == 2)
            #expect(try layout.base(for: nil).firstSegment == 256 + 2)
            let noon = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
            let base = try layout.base(for: noon)
            #expect(base.directory.hasSuffix("/20261120T100000.000250Z") && base.firstSegment == nil)
            #expect(throws: ArchiveError.noBase(directory: scratch.root, oldest: "2026-11-20T10:00:00Z")) {
                try layout.base(for: noon.advanced(bySeconds: -86_400 * 7))
            }
            #expect(BaseBackup.name(completeAt: noon) == "20261121T120000.000000Z")
        }
    }
}
