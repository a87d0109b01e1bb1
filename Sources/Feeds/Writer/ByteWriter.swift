import Domain

/// Collects the bytes of a document: markup known at compile time, numbers, and text escaped for its context.
///
/// A document consists of hundreds of pieces of a few bytes. The writer owns its memory, because an array would check
/// before each of them whether somebody else holds it.
package struct ByteWriter: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0

    package init(capacityBytes: Int) {
        capacity = max(capacityBytes, 64)
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// A copy of everything that was appended.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// Appends markup unchanged.
    package mutating func append(_ markup: StaticString) {
        append(UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount))
    }

    /// Appends a snake_case name as XML writes it: `created_at` becomes `created-at`.
    mutating func append(dashed name: StaticString) {
        for byte in UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount) {
            append(byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte)
        }
    }

    /// Appends bytes that are ASCII and safe in every context, such as base64.
    mutating func append(safe ascii: some Collection<UInt8>) {
        if ascii.withContiguousStorageIfAvailable({ append($0) }) == nil { for byte in ascii { append(byte) } }
    }

    mutating func append(_ byte: UInt8) {
        makeRoom(bytesCount: 1)
        start[count] = byte
        count += 1
    }

    /// Appends an instant as RFC 3339 in UTC.
    mutating func append(_ instant: Instant, _ precision: Instant.Precision) {
        instant.withRFC3339Bytes(precision) { append($0) }
    }

    private mutating func append(_ piece: UnsafeBufferPointer<UInt8>) {
        guard let source = piece.baseAddress else { return }
        makeRoom(bytesCount: piece.count)
        (start + count).initialize(from: source, count: piece.count)
        count += piece.count
    }

    private mutating func makeRoom(bytesCount: Int) {
        if capacity - count < bytesCount { grow(bytesCount: bytesCount) }
    }

    private mutating func grow(bytesCount: Int) {
        capacity = 2 * capacity + bytesCount
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.moveInitialize(from: start, count: count)
        start.deallocate()
        start = larger
    }

    /// Appends text, with replacements for what its context does not allow. It takes one pass and copies runs of
    /// harmless bytes whole.
    package mutating func append(_ text: String, in context: TextContext) {
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
                append(UnsafeBufferPointer(rebasing: utf8[runStart..<index]))
                append(written)
                index += lengthBytes
                runStart = index
            }
            append(UnsafeBufferPointer(rebasing: utf8[runStart...]))
        }
    }
}

extension ByteWriter {
    /// Appends decimal digits, with a minus sign when negative.
    /// - Parameter grouped: Puts commas between thousands, for people.
    package mutating func append(_ number: Int128, grouped: Bool = false) {
        // Nearly all numbers are small, and 128 bits take several times as long.
        if !grouped, let small = UInt64(exactly: number) { return append(decimal: small) }
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

    private mutating func append(decimal number: UInt64) {
        makeRoom(bytesCount: Self.decimalBytesMax)
        var digits = 1
        var rest = number
        while rest > 9 {
            rest /= 10
            digits += 1
        }
        rest = number
        for index in stride(from: count + digits - 1, through: count, by: -1) {
            start[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digits
    }

    /// Digits of the largest number of 64 bits.
    private static let decimalBytesMax = 20

    /// Appends a number counted in tenths with its one decimal: 975 is `97.5`, -5 is `-0.5`.
    mutating func append(tenths: Int128) {
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
        Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$'()*+,;=:@/?".utf8))
}
