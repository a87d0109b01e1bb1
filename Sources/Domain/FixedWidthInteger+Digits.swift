extension FixedWidthInteger {
    /// Nil unless the text is ASCII digits and nothing else, not even a sign, and fits.
    init?(digits text: some StringProtocol) {
        var value: Self?
        for byte in text.utf8 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (tens, isBeyond) = (value ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, isBeyondToo) = tens.addingReportingOverflow(Self(truncatingIfNeeded: byte &- UInt8(ascii: "0")))
            guard !isBeyond, !isBeyondToo else { return nil }
            value = sum
        }
        guard let value else { return nil }
        self = value
    }
}
