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

    /// The complete base backups in the order in which they were made, the oldest first. One that is dated after `now`
    /// was made while the clock was ahead, so it is older than those that the clock of now dates.
    package func made(by now: Instant) -> [BaseBackup] {
        let all = complete
        return all.filter { $0.moment > now } + all.filter { $0.moment <= now }
    }

    /// Whether another base backup is to be made, because the newest one is as old as that, or dated after `now`.
    package func isBaseDue(afterDays days: Int, now: Instant) -> Bool {
        guard let newest = made(by: now).last, newest.moment <= now else { return true }
        return newest.moment.advanced(bySeconds: Int64(days) * 86_400) < now
    }

    /// What is to be removed once there are more base backups than are to be kept.
    /// - Parameter count: How many are to be kept, 1 or more.
    package func superfluous(keeping count: Int, now: Instant) -> Superfluous {
        let all = made(by: now)
        let kept = all.suffix(count)
        guard kept.count < all.count else { return Superfluous(bases: [], firstSegmentKept: nil, unreadable: []) }
        let segments = kept.map { ($0.directory, $0.firstSegment) }
        let unreadable = segments.filter { $0.1 == nil }.map(\.0)
        return Superfluous(
            bases: Array(all.dropLast(count)),
            firstSegmentKept: unreadable.isEmpty ? segments.compactMap(\.1).min() : nil, unreadable: unreadable)
    }

    package struct Superfluous: Sendable {
        package let bases: [BaseBackup]
        /// The log before it is needed by none that is kept; nil while that is not known.
        package let firstSegmentKept: UInt64?
        /// The directories of those whose manifest does not say which of the log they need.
        package let unreadable: [String]
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

/// A copy of the cluster's files, from which the archived write-ahead log leads on: what `pg_basebackup` has written.
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
        else { return nil }
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
