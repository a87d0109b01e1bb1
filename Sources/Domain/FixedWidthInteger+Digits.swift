extension FixedWidthInteger {
    /// Nil unless the text is ASCII digits and nothing else, not even a sign, and fits.
    init?(digits text: some StringProtocol) {
        let read = text.withBytes { bytes -> Self? in
            var value: Self?
            for byte in bytes {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                let (tens, isBeyond) = (value ?? 0).multipliedReportingOverflow(by: 10)
                let (sum, isBeyondToo) = tens.addingReportingOverflow(Self(truncatingIfNeeded: byte &- UInt8(ascii: "0")))
                guard !isBeyond, !isBeyondToo else { return nil }
                value = sum
            }
            return value
        }
        guard let read else { return nil }
        self = read
    }
}
