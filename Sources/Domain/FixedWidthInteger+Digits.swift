extension FixedWidthInteger {
    /// Nil unless the text is ASCII digits and nothing else, not even a sign, and fits.
    init?(digits text: some StringProtocol) {
        guard text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let value = Self(text, radix: 10) else { return nil }
        self = value
    }
}
