/// Conversion between bytes and hexadecimal digits.
@usableFromInline package enum Hex {
    /// Two lower-case digits for each byte.
    @inlinable package static func text(_ bytes: some Collection<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable(text(of:)) ?? Array(bytes).withUnsafeBufferPointer(text(of:))
    }

    @usableFromInline static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
            for (index, byte) in bytes.enumerated() {
                digits[2 * index] = digit(byte >> 4)
                digits[2 * index + 1] = digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    /// The bytes of a text of hex digits, in either case; nil for any other text and for an odd number of digits.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? { bytes(text.utf8) }

    /// The bytes of hex digits in ASCII, in either case; nil for anything else and for an odd number of digits.
    @inlinable package static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for character in digits {
            guard let value = value(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    /// The value 0...15 of an ASCII character; nil when it is no hex digit.
    @inlinable package static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// A lower-case ASCII digit.
    /// - Parameter value: 0...15.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
