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
        guard let read = text.withBytes({ Self(digits: $0) }) else { return nil }
        self = read
    }

    /// Parses ASCII digits in UTF-8, by the same rule.
    init?(digits bytes: UnsafeBufferPointer<UInt8>) {
        guard !bytes.isEmpty else { return nil }
        var value: Self = 0
        for byte in bytes {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let (tens, tensOverflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = tens.addingReportingOverflow(Self(truncatingIfNeeded: byte &- UInt8(ascii: "0")))
            guard !tensOverflow, !sumOverflow else { return nil }
            value = sum
        }
        self = value
    }
}
