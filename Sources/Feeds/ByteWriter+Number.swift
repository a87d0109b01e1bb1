extension ByteWriter {
    /// Decimal digits, with a minus sign when negative; every `Int128` fits.
    /// - Parameter grouped: Puts a comma between thousands, for people.
    mutating func append(_ number: Int128, grouped: Bool = false) {
        // 39 digits, 12 commas, a sign.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 52) { buffer in
            var start = buffer.count
            func prepend(_ byte: UInt8) {
                start -= 1
                buffer[start] = byte
            }
            var digits = 0
            func prepend(digit: UInt8) {
                if grouped, digits > 0, digits.isMultiple(of: 3) { prepend(UInt8(ascii: ",")) }
                prepend(UInt8(ascii: "0") + digit)
                digits += 1
            }
            var wide = number.magnitude
            while wide > UInt128(UInt64.max) {  // division of 128 bits is slow, and rare
                prepend(digit: UInt8(wide % 10))
                wide /= 10
            }
            var rest = UInt64(wide)
            repeat {
                prepend(digit: UInt8(rest % 10))
                rest /= 10
            } while rest > 0
            if number < 0 { prepend(UInt8(ascii: "-")) }
            append(safe: UnsafeBufferPointer(rebasing: buffer[start...]))
        }
    }

    /// A number counted in tenths, with its one decimal: 975 is `97.5`, -5 is `-0.5`.
    mutating func append(tenths: Int64) {
        if tenths < 0 { append("-") }
        let magnitude = tenths.magnitude
        append(Int128(magnitude / 10))
        append(".")
        append(UInt8(ascii: "0") + UInt8(magnitude % 10))
    }
}
