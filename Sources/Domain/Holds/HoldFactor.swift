/// How many times the 99th percentile of a board's points a post may have before it is held: 0.001 to 1,000,000, with
/// three decimals at most.
package struct HoldFactor: Sendable, Equatable {
    package let thousandths: Int64

    package init?(thousandths: Int64) {
        guard (1...Self.thousandthsMax).contains(thousandths) else { return nil }
        self.thousandths = thousandths
    }

    /// Nil unless the text is such a number, as in `2.5`.
    package init?(_ text: String) {
        guard (1...Self.bytesMax).contains(text.utf8.count) else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let (whole, decimals) = (parts[0], parts.count == 2 ? parts[1] : "0".utf8[...])
        guard !whole.isEmpty, (1...3).contains(decimals.count) else { return nil }
        var thousandths: Int64 = 0
        for byte in Array(whole) + Array(decimals) + Array(repeating: UInt8(ascii: "0"), count: 3 - decimals.count) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            // So few digits fit, with the zeros behind them.
            thousandths = thousandths * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        self.init(thousandths: thousandths)
    }

    /// Whether points are above so many times a percentile; below it where low is good.
    func isExceeded(by points: Int64, percentile: Int64, lowestFirst: Bool) -> Bool {
        // A multiple of nothing, or of points below zero, bounds nothing.
        guard percentile > 0 else { return false }
        let bound = Int128(thousandths) * Int128(percentile)
        return lowestFirst ? Int128(points) * 1000 < bound : Int128(points) * 1000 > bound
    }

    private static let thousandthsMax: Int64 = 1_000_000_000
    /// The most has so many, with its decimals: `1000000.000`.
    private static let bytesMax = 11

    /// The rule in words, for an error message.
    package static let rule = "a number from 0.001 to 1000000 with three decimals at most"
}

extension HoldFactor: CustomStringConvertible {
    package var description: String {
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
        if rest == 0 { return String(whole) }
        let digits = String(1000 + rest).dropFirst()
        return "\(whole).\(digits.trimmingSuffix { $0 == "0" })"
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
