/// How points are read from a text.
package enum Points {
    /// A whole number of 64 bits in decimal digits, with a minus if it is negative. A plus is refused: in a form it is
    /// a space as often as not.
    /// - Throws: The sentence that says what to change, also for a number beyond 64 bits.
    package static func whole(_ text: String, field: String) throws(FieldError) -> Int64 {
        guard text.utf8.first != UInt8(ascii: "+"), let value = Int64(text) else {
            throw FieldError(field, "\(field) is no whole number of 64 bits. Send digits only, such as 1500.")
        }
        return value
    }
}

extension FixedWidthInteger {
    /// Nil unless the text is ASCII digits and nothing else, not even a sign, and fits.
    init?(digits text: some StringProtocol) {
        let read = text.withBytes { bytes -> Self? in
            var value: Self?
            for byte in bytes {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                let (tens, isBeyond) = (value ?? 0).multipliedReportingOverflow(by: 10)
                let (sum, isBeyondToo) = tens.addingReportingOverflow(
                    Self(truncatingIfNeeded: byte &- UInt8(ascii: "0"))
                )
                guard !isBeyond, !isBeyondToo else { return nil }
                value = sum
            }
            return value
        }
        guard let read else { return nil }
        self = read
    }
}
