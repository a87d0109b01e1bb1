/// A temporary slot: the server keeps the log from its consistent point on for as long as the connection lasts.
package struct ReplicationSlot: Sendable {
    package let name: String
    /// Transactions whose commit record lies before it are in the snapshot; those from it on come in the stream.
    package let consistentPoint: LogPosition
    /// For other connections to read with, until the stream is started or the connection closes.
    package let snapshot: SnapshotName
}

/// The name of an exported snapshot: hex digits and hyphens, as the server gives it.
package struct SnapshotName: Sendable, Hashable {
    package let text: String

    /// Nil for what could not be one, so that it can stand in a statement.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 64,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D })
        else { return nil }
        self.text = text
    }
}
