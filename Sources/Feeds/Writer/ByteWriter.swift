import Domain

/// Collects the bytes of a document: markup known at compile time, numbers, and text escaped for its context.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(capacityBytes: Int) {
        bytes.reserveCapacity(capacityBytes)
    }

    /// Appends markup unchanged.
    mutating func append(_ markup: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount))
    }

    /// Appends a snake_case name as XML writes it: `created_at` becomes `created-at`.
    mutating func append(dashed name: StaticString) {
        for byte in UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount) {
            bytes.append(byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte)
        }
    }

    /// Appends bytes that are ASCII and safe in every context, such as base64.
    mutating func append(safe ascii: some Collection<UInt8>) {
        bytes.append(contentsOf: ascii)
    }

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Appends an instant as RFC 3339 in UTC.
    mutating func append(_ instant: Instant, _ precision: Instant.Precision) {
        bytes.append(contentsOf: instant.rfc3339Bytes(precision))
    }

    /// Appends text, with replacements for what its context does not allow. It takes one pass and copies runs of
    /// harmless bytes whole.
    mutating func append(_ text: String, in context: TextContext) {
        let stops = context.stops
        var text = text
        text.withUTF8 { utf8 in
            var runStart = 0
            var index = 0
            while index < utf8.count {
                guard stops.contains(utf8[index]) else {
                    index += 1
                    continue
                }
                guard let (written, lengthBytes) = context.replacement(in: utf8, at: index) else {
                    index += 1
                    continue
                }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[runStart..<index]))
                append(written)
                index += lengthBytes
                runStart = index
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[runStart...]))
        }
    }
}

extension ByteWriter {
    /// Appends decimal digits, with a minus sign when negative.
    /// - Parameter grouped: Puts commas between thousands, for people.
    mutating func append(_ number: Int128, grouped: Bool = false) {
        // A longest number has 39 digits, 12 commas and a sign.
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
            while wide > UInt128(UInt64.max) {  // 128-bit division is slow; few numbers need it
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

    /// Appends a number counted in tenths with its one decimal: 975 is `97.5`, -5 is `-0.5`.
    mutating func append(tenths: Int64) {
        if tenths < 0 { append("-") }
        let magnitude = tenths.magnitude
        append(Int128(magnitude / 10))
        append(".")
        append(UInt8(ascii: "0") + UInt8(magnitude % 10))
    }
}

extension ByteWriter {
    /// Appends text as part of a URI between tags. What a `tag:` URI cannot hold (RFC 4151; RFC 3986, `pchar / "/" /
    /// "?"`) becomes `%XX`.
    /// - Parameter isEncoded: The text is part of a URL already, so its percent signs stay.
    mutating func append(percentEncoding text: String, isEncoded: Bool) {
        for byte in text.utf8 {
            if byte == UInt8(ascii: "&") {
                append("&amp;")
            } else if Self.uriSafe.contains(byte) || isEncoded && byte == UInt8(ascii: "%") {
                append(byte)
            } else {
                append("%")
                append(Self.hexDigits[Int(byte >> 4)])
                append(Self.hexDigits[Int(byte & 15)])
            }
        }
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
    private static let uriSafe = ByteSet(
        Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$'()*+,;=:@/?".utf8)
    )
}
