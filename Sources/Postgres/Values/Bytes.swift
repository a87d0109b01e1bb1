/// A `bytea`. It is a type of its own because `[UInt8]` would look like an array of numbers.
package struct Bytes: Hashable, Sendable {
    package var bytes: [UInt8]
    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

extension Bytes: PostgresValue {
    package static var oid: OID { .bytea }
    package static var arrayOID: OID { .byteaArray }
    @inlinable package func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: self.bytes) }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard column == .bytea else { throw DecodingFailure(.wrongType, Self.self, from: column) }
        self.bytes = Array(bytes)
    }
}

extension [UInt8] {
    /// Appends an integer most significant byte first, as every number on PostgreSQL's wire is.
    @inlinable package mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }

    /// Overwrites the four bytes at `offset`, which must exist, with a length.
    @inlinable package mutating func write(length: Int, at offset: Int) {
        let value = UInt32(truncatingIfNeeded: length)
        for index in 0..<4 { self[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
    }
}

extension UnsafeRawBufferPointer {
    /// The integer at `offset`, most significant byte first; nil when the bytes end before it does.
    func bigEndian<I: FixedWidthInteger>(_: I.Type, at offset: Int = 0) -> I? {
        guard offset >= 0, offset <= count - MemoryLayout<I>.size else { return nil }
        return I(bigEndian: loadUnaligned(fromByteOffset: offset, as: I.self))
    }
}
