extension JSONValue {
    /// The exact value of a number that is whole, however it is written: `10`, `10.0`, `1e1`, `100e-1`.
    /// Nil for a number with a fraction or beyond 64 bits, and for all else.
    var whole: Int64? {
        guard kind == .number else { return nil }
        let parts = bytes.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        guard let mantissa = parts.first else { return nil }
        let exponent = parts.count > 1 ? Self.exponent(parts[1]) : 0
        let places = mantissa.firstIndex(of: UInt8(ascii: ".")).map { mantissa.endIndex - $0 - 1 } ?? 0
        let digits = mantissa.filter((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        guard let last = digits.lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return 0 }
        let significant = digits[...last].drop { $0 == UInt8(ascii: "0") }
        let zeros = digits.count - 1 - last - places + exponent
        guard zeros >= 0, significant.count + zeros <= 19 else { return nil }  // 10^19 - 1 fits into 64 bits without a sign
        var magnitude: UInt64 = 0
        for digit in significant { magnitude = magnitude * 10 + UInt64(digit - UInt8(ascii: "0")) }
        for _ in 0..<zeros { magnitude *= 10 }
        return Int64(exactly: bytes.first == UInt8(ascii: "-") ? -Int128(magnitude) : Int128(magnitude))
    }

    /// Stops far beyond what the digits of any body could make up for, so that nothing overflows.
    private static func exponent(_ text: ArraySlice<UInt8>) -> Int {
        var value = 0
        for digit in text where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            value = min(value * 10 + Int(digit - UInt8(ascii: "0")), 1_000_000_000_000)
        }
        return text.first == UInt8(ascii: "-") ? -value : value
    }
}
