import Domain
import Foundation
import Testing

@testable import Backup

/// Which base backups there are, when another one is due, and what may go.
@Suite struct ArchiveLayoutTests {
    private static func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    /// An archive with base backups that were complete at these moments.
    private static func withArchive(_ moments: [String: String?], _ body: (ArchiveLayout) throws -> Void) throws {
        try Scratch.with { scratch in
            let layout = ArchiveLayout(scratch.root)
            for (moment, start) in moments {
                let directory = "\(layout.bases)/\(BaseBackup.name(completeAt: try instant(moment)))"
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
                guard let start else { continue }
                let manifest = #"{"WAL-Ranges": [{"Timeline": 1, "Start-LSN": "\#(start)"}]}"#
                try Data(manifest.utf8).write(to: URL(filePath: "\(directory)/backup_manifest"))
            }
            try body(layout)
        }
    }

    @Test("another base backup is due when there is none, when the newest is old, and when the clock was ahead")
    func due() throws {
        let now = try Self.instant("2026-11-22T10:00:00Z")
        try Self.withArchive([:]) { #expect($0.isBaseDue(afterDays: 7, now: now)) }
        try Self.withArchive(["2026-11-16T10:00:00Z": nil]) { #expect(!$0.isBaseDue(afterDays: 7, now: now)) }
        try Self.withArchive(["2026-11-15T09:00:00Z": nil]) { #expect($0.isBaseDue(afterDays: 7, now: now)) }
        try Self.withArchive(["2028-01-01T00:00:00Z": nil]) { #expect($0.isBaseDue(afterDays: 7, now: now)) }
        // The one that is made then is enough, although the other stays the one with the latest date.
        try Self.withArchive(["2028-01-01T00:00:00Z": nil, "2026-11-22T09:59:00Z": nil]) {
            #expect(!$0.isBaseDue(afterDays: 7, now: now))
        }
    }

    @Test("what was made while the clock was ahead goes before what was made since") func ahead() throws {
        let now = try Self.instant("2026-11-22T10:00:00Z")
        let made: [String: String?] = ["2028-01-01T00:00:00Z": "0/3000028", "2026-11-22T09:00:00Z": "0/7000028"]
        try Self.withArchive(made) { layout in
            let superfluous = layout.superfluous(keeping: 1, now: now)
            let ahead = try Self.instant("2028-01-01T00:00:00Z")
            #expect(superfluous.bases.map(\.moment) == [ahead])
            #expect(superfluous.firstSegmentKept == 7 && superfluous.unreadable.isEmpty)
            #expect(layout.superfluous(keeping: 2, now: now).bases.isEmpty)
        }
    }

    @Test("a kept base backup without a readable manifest is named, and the log that it may need stays")
    func unreadable() throws {
        let now = try Self.instant("2026-11-22T10:00:00Z")
        let made: [String: String?] = [
            "2026-11-01T10:00:00Z": "0/3000028", "2026-11-08T10:00:00Z": nil, "2026-11-15T10:00:00Z": "0/7000028",
        ]
        try Self.withArchive(made) { layout in
            let superfluous = layout.superfluous(keeping: 2, now: now)
            #expect(superfluous.bases.count == 1 && superfluous.firstSegmentKept == nil)
            #expect(superfluous.unreadable == ["\(layout.bases)/20261108T100000.000000Z"])
        }
    }
}
