/// Parses points from text.
package enum Points {
    /// A signed 64-bit integer in decimal digits, with a minus sign if negative. A plus sign is refused, because in a
    /// form it often stands for a space.
    /// - Throws: A sentence that says what to change, also for a number beyond 64 bits.
    package static func whole(_ text: String, field: String) throws(FieldError) -> Int64 {
        guard text.utf8.first != UInt8(ascii: "+"), let value = Int64(text) else {
            throw FieldError(field, "\(field) is no whole number of 64 bits. Send digits only, such as 1500.")
        }
        return value
    }
}

extension FixedWidthInteger {
    /// Parses ASCII digits; nil for anything else, including a sign, and for a number that does not fit.
    init?(digits text: some StringProtocol) {
        let read = text.withBytes { bytes -> Self? in
            var value: Self?
            for byte in bytes {
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
                let (tens, tensOverflow) = (value ?? 0).multipliedReportingOverflow(by: 10)
                let (sum, sumOverflow) = tens.addingReportingOverflow(
                    Self(truncatingIfNeeded: byte &- UInt8(ascii: "0")))
                guard !tensOverflow, !sumOverflow else { return nil }
                value = sum
            }
            return value
        }
        guard let read else { return nil }
        self = read
    }
}
