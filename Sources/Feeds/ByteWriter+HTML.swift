import Domain

extension ByteWriter {
    /// A snake_case name for people: `reached_at` is `Reached at`.
    mutating func append(heading name: StaticString, capitalized: Bool) {
        var isFirst = true
        for byte in UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount) {
            let isLowercase = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            append(byte == UInt8(ascii: "_") ? UInt8(ascii: " ") : isFirst && capitalized && isLowercase ? byte & 0xDF : byte)
            isFirst = false
        }
    }

    /// `2009-09-12 10:00` in UTC, with the exact instant for programs.
    mutating func append(time instant: Instant) {
        append("<time datetime=\"")
        append(instant, .microseconds)
        append("\">")
        let text = instant.rfc3339Bytes(.seconds)  // 2009-09-12T10:00:03Z
        append(safe: text.prefix(10))
        append(" ")
        append(safe: text.dropFirst(11).prefix(5))
        append("</time>")
    }

    /// A bar that is full at a hundred percent. The number stands beside it, so the bar is not read out.
    mutating func appendBar(tenths: Int64) {
        append("<progress aria-hidden=\"true\" max=\"1000\" value=\"")
        append(Int128(min(max(tenths, 0), 1000)))
        append("\"></progress>")
    }
}

extension Column {
    /// Whether the values are numbers, which stand to the right.
    var isNumber: Bool {
        kind == .integer || kind == .percent
    }
}
