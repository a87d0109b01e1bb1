package import Domain
import FoundationEssentials
import Glibc

/// Where things are in an archive: `wal` and `base`, the secret, the list of erasures, and whose archive it is.
package struct ArchiveLayout: Sendable {
    package let directory: String

    package init(_ directory: String) { self.directory = directory }

    init(ofLog wal: String) { directory = String(wal.dropLast("/wal".count)) }

    package var wal: String { "\(directory)/wal" }
    package var bases: String { "\(directory)/base" }
    package var secret: String { "\(directory)/secret" }
    package var erasures: String { "\(directory)/erasures" }
    /// PostgreSQL's number of the cluster.
    package var system: String { "\(directory)/system" }

    /// The complete base backups, the oldest first.
    package var complete: [BaseBackup] {
        fileNames(in: bases).compactMap { BaseBackup(name: $0, in: bases) }.sorted { $0.moment < $1.moment }
    }

    /// The base backup from which a moment is reached soonest.
    /// - Parameter moment: Nil for the newest that there is.
    package func base(for moment: Instant?) throws(ArchiveError) -> BaseBackup {
        let all = complete
        guard let base = all.last(where: { base in moment.map { base.moment <= $0 } ?? true }) else {
            throw .noBase(directory: directory, oldest: all.first?.moment.rfc3339(.seconds))
        }
        return base
    }
}

/// A copy of the cluster's files, from which the archived log of changes leads on: what `pg_basebackup` has written.
package struct BaseBackup: Sendable {
    /// When it was complete. Only moments after it can be reached from it.
    package let moment: Instant
    package let directory: String

    /// - Parameter name: Such as `20261122T100000.000250Z`.
    init?(name: String, in bases: String) {
        let digits = Array(name)
        guard digits.count == 23, digits[8] == "T", digits[22] == "Z" else { return nil }
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
        let time = "\(part(9..<11)):\(part(11..<13)):\(part(13..<22))"
        guard let moment = Instant(rfc3339: "\(date)T\(time)Z") else { return nil }
        self.moment = moment
        directory = "\(bases)/\(name)"
    }

    /// The name of one that was complete at a moment.
    package static func name(completeAt moment: Instant) -> String {
        String(moment.rfc3339(.microseconds).filter { $0 != "-" && $0 != ":" })
    }

    /// The first segment that it needs, as its manifest says; nil when that is not to be read.
    package var firstSegment: UInt64? {
        let path = "\(directory)/backup_manifest"
        guard let file = try? Descriptor(reading: path), let size = try? file.size(of: path),
            size <= Self.manifestBytesMax, let bytes = try? file.read(size, of: path),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(bytes))
        else {
            return nil
        }
        return manifest.ranges.compactMap { WALName.segment(of: $0.start) }.min()
    }

    /// The part of PostgreSQL's `backup_manifest` that says which of the log it needs.
    private struct Manifest: Decodable {
        struct Range: Decodable {
            let start: String
            enum CodingKeys: String, CodingKey { case start = "Start-LSN" }
        }
        let ranges: [Range]
        enum CodingKeys: String, CodingKey { case ranges = "WAL-Ranges" }
    }

    private static let manifestBytesMax = 256 << 20
}

/// The names in a directory; none when it cannot be read.
func fileNames(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name != ".", name != ".." { found.append(name) }
    }
    return found
}
