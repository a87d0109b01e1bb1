extension Array: PostgresElement where Element: PostgresElement {}

/// One-dimensional arrays. `[Int?]` takes NULL elements, `[Int]` refuses them with a `DecodingFailure`.
///
/// An array of arrays compiles but is refused by the server when bound, and is a `DecodingFailure` when read.
extension Array: PostgresValue where Element: PostgresElement {
    package static var oid: OID { Element.elementArrayOID }
    package static var arrayOID: OID { .unspecified }

    package func encode(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int32(isEmpty ? 0 : 1))
        bytes.append(bigEndian: Int32(Element.canBeNull ? 1 : 0))
        bytes.append(bigEndian: Element.elementOID.rawValue)
        if isEmpty { return }
        bytes.append(bigEndian: Int32(truncatingIfNeeded: count))
        bytes.append(bigEndian: Int32(1))
        Element.encode(elements: self, into: &bytes)
    }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard let element = column.element else { throw DecodingFailure(.wrongType, Self.self, from: column) }
        let malformed = DecodingFailure(.malformed, Self.self, from: column)
        guard let dimensions = bytes.bigEndian(Int32.self), bytes.bigEndian(UInt32.self, at: 8) == element.rawValue
        else { throw malformed }
        self = []
        if dimensions == 0 { return }
        guard dimensions == 1 else { throw DecodingFailure(.outOfRange, Self.self, from: column) }
        // Each element has a length of four bytes, so a larger count is malformed and must not become an allocation.
        guard let count = bytes.bigEndian(Int32.self, at: 12), count >= 0, Int(count) <= bytes.count / 4 else {
            throw malformed
        }
        reserveCapacity(Int(count))
        var offset = 20
        for _ in 0..<count {
            guard let length = bytes.bigEndian(Int32.self, at: offset) else { throw malformed }
            offset += 4
            if length == -1 {
                try append(Element(decodingElement: nil, from: element))
                continue
            }
            guard length >= 0, Int(length) <= bytes.count - offset else { throw malformed }
            let slice = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(length)])
            try append(Element(decodingElement: slice, from: element))
            offset += Int(length)
        }
        guard offset == bytes.count else { throw malformed }
    }
}
