import Domain

/// The bytes of a document as it grows: markup that is known when compiling, numbers, and text escaped for the place where it stands.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(capacityBytes: Int) {
        bytes.reserveCapacity(capacityBytes)
    }

    /// Markup, as it is.
    mutating func append(_ markup: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount))
    }

    /// A snake_case name as XML writes it: `created_at` is `created-at`.
    mutating func append(dashed name: StaticString) {
        for byte in UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount) {
            bytes.append(byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte)
        }
    }

    /// Bytes that are ASCII and safe anywhere, such as base64.
    mutating func append(safe ascii: some Collection<UInt8>) {
        bytes.append(contentsOf: ascii)
    }

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// UTC, RFC 3339.
    mutating func append(_ instant: Instant, _ precision: Instant.Precision) {
        bytes.append(contentsOf: instant.rfc3339Bytes(precision))
    }

    /// Text, with what the place does not allow replaced. One pass; runs of harmless bytes are copied whole.
    mutating func append(_ text: String, in place: TextPlace) {
        let stops = place.stops
        var text = text
        text.withUTF8 { utf8 in
            var runStart = 0
            var index = 0
            while index < utf8.count {
                guard stops.contains(utf8[index]) else {
                    index += 1
                    continue
                }
                guard let (written, lengthBytes) = place.replacement(in: utf8, at: index) else {
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
