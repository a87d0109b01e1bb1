/// A temporary replication slot: the server keeps the WAL from its consistent point on for as long as the connection
/// lasts.
package struct ReplicationSlot: Sendable {
    package let name: String
    /// Transactions whose commit record lies before it are in the snapshot; those from it on come in the stream.
    package let consistentPoint: LogPosition
    /// A snapshot for other connections to read with, until the stream is started or the connection closes.
    package let snapshot: SnapshotName
}

/// The name of an exported snapshot: hex digits and hyphens, as the server gives it.
package struct SnapshotName: Sendable, Hashable {
    package let text: String

    /// Returns nil for any other text, so that the name is safe to put into a statement.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 64,
            text.utf8.allSatisfy({
                (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D
            })
        else { return nil }
        self.text = text
    }
}

/// A position in the write-ahead log, in bytes since its beginning.
package struct LogPosition: RawRepresentable, Sendable, Hashable, Comparable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Parses PostgreSQL's notation, two halves in hex such as `16/B374D848`. Returns nil for anything else.
    package init?(_ text: some StringProtocol) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ (1...8).contains($0.utf8.count) }),
            let high = UInt32(halves[0], radix: 16), let low = UInt32(halves[1], radix: 16)
        else { return nil }
        rawValue = UInt64(high) << 32 | UInt64(low)
    }

    package static func < (one: LogPosition, other: LogPosition) -> Bool { one.rawValue < other.rawValue }
}
