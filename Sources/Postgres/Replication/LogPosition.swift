/// A position in the write-ahead log, in bytes since its beginning.
package struct LogPosition: RawRepresentable, Sendable, Hashable, Comparable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// As PostgreSQL writes it: two halves in hex, such as `16/B374D848`. Nil for anything else.
    package init?(_ text: some StringProtocol) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ (1...8).contains($0.utf8.count) }), let high = UInt32(halves[0], radix: 16),
            let low = UInt32(halves[1], radix: 16)
        else { return nil }
        rawValue = UInt64(high) << 32 | UInt64(low)
    }

    package static func < (one: LogPosition, other: LogPosition) -> Bool { one.rawValue < other.rawValue }
}
