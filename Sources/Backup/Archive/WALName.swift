/// The name of a file of PostgreSQL's write-ahead log.
package enum WALName: Equatable {
    /// Eight hex digits of the timeline, and the number of the segment on it.
    case segment(timeline: UInt32, number: UInt64)
    /// The history of a timeline, which begins where a copy was promoted.
    case history(timeline: UInt32)
    /// What a base backup leaves in the archive, or a segment that ended early.
    case other

    /// Segments of 16 MB in each 4 GB of the log, as initdb makes them; names count in these two.
    private static let segmentsOfLog: UInt64 = 256

    /// - Returns: Nil for anything that PostgreSQL does not archive.
    package init?(_ name: String) {
        guard let first = name.split(separator: ".", omittingEmptySubsequences: false).first, first.utf8.count <= 24,
            first.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 })
        else { return nil }
        let rest = name.dropFirst(first.count)
        switch (first.utf8.count, rest) {
        case (8, ".history"):
            guard let timeline = UInt32(first, radix: 16) else { return nil }
            self = .history(timeline: timeline)
        case (24, ""):
            guard let timeline = UInt32(first.prefix(8), radix: 16),
                let log = UInt64(first.dropFirst(8).prefix(8), radix: 16),
                let segment = UInt64(first.suffix(8), radix: 16), segment < Self.segmentsOfLog
            else { return nil }
            self = .segment(timeline: timeline, number: log * Self.segmentsOfLog + segment)
        case (24, ".partial"): self = .other
        case (24, _):
            let offset = rest.dropFirst().prefix(8)
            guard rest == ".\(offset).backup", offset.utf8.count == 8, UInt32(offset, radix: 16) != nil else {
                return nil
            }
            self = .other
        default: return nil
        }
    }

    /// The name of the segment that has a position such as `0/3000028`.
    /// - Returns: The segment's number; nil for what is no position.
    package static func segment(of position: some StringProtocol) -> UInt64? {
        let halves = position.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, let log = UInt32(halves[0], radix: 16), let rest = UInt32(halves[1], radix: 16) else {
            return nil
        }
        return UInt64(log) * segmentsOfLog + UInt64(rest >> 24)
    }
}
