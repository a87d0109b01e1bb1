/// The name of a time zone whose days a board may count: `UTC`, `GMT`, or one with a slash, such as `Europe/Berlin`.
///
/// PostgreSQL takes a short name such as `CET` for an abbreviation, which is a fixed offset without summer time, and
/// `localtime` for whatever zone the machine is in. No such name has a slash. Whether there is the zone, the database
/// says.
package struct ZoneName: Sendable, Hashable {
    package let text: String

    /// - Returns: Nil for a text that cannot be such a name.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...64).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let isPlace = bytes.contains(UInt8(ascii: "/")) && !text.hasPrefix("posix/") && !text.hasPrefix("right/")
        guard isPlace || text == "UTC" || text == "GMT" else { return nil }
        self.text = text
    }

    /// What a zone is, for sentences about a text that is none.
    package static let rule =
        "UTC, or the zone of a place such as Europe/Berlin, because a short one such as CET or EST has no summer time"
}
