/// A value that can be bound and read in PostgreSQL's binary form.
///
/// The binary formats are those of each type's `*_recv` and `*_send` functions in PostgreSQL's `src/backend/utils/adt`.
package protocol PostgresValue: PostgresElement {
    /// The type as which a parameter of this kind is declared.
    static var oid: OID { get }

    /// The type of a one-dimensional array of these; `.unspecified` when PostgreSQL has none.
    static var arrayOID: OID { get }

    /// Appends the binary form, without a length.
    func encode(into bytes: inout [UInt8])

    /// Appends the elements of an array with NULLs, each with its length.
    static func encode(optionals: [Self?], into bytes: inout [UInt8])

    /// Reads the binary form.
    /// - Parameters:
    ///   - bytes: the whole value and nothing else; valid only during the call.
    ///   - column: the column's type according to the server. A conforming type may accept others than `oid`.
    /// - Throws: When this type cannot hold a value of that type, length or content. It never traps.
    init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure)
}

/// A type that wraps a value, such as an enumeration or an id, needs nothing but the conformance.
extension PostgresValue where Self: RawRepresentable, RawValue: PostgresValue {
    package static var oid: OID { RawValue.oid }
    package static var arrayOID: OID { RawValue.arrayOID }

    @inlinable package func encode(into bytes: inout [UInt8]) { rawValue.encode(into: &bytes) }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard let value = try Self(rawValue: RawValue(decoding: bytes, from: column)) else {
            throw DecodingFailure(.outOfRange, Self.self, from: column)
        }
        self = value
    }
}

/// An element of an array: a value, or an optional value for arrays with NULLs.
///
/// Do not conform to this by hand: every `PostgresValue` does.
package protocol PostgresElement: Sendable {
    static var elementOID: OID { get }
    static var elementArrayOID: OID { get }

    /// Whether an element may be NULL.
    static var canBeNull: Bool { get }

    /// Appends a length (-1 for NULL) and the binary form.
    func encodeElement(into bytes: inout [UInt8])

    /// Appends every element, as `encodeElement` does. An array asks its elements' type once and not for each of them.
    static func encode(elements: [Self], into bytes: inout [UInt8])

    /// - Parameter bytes: the element without its length; nil is NULL.
    init(decodingElement bytes: UnsafeRawBufferPointer?, from column: OID) throws(DecodingFailure)
}

extension PostgresValue {
    package static var elementOID: OID { oid }
    package static var elementArrayOID: OID { arrayOID }
    package static var canBeNull: Bool { false }

    @inlinable package static func encode(elements: [Self], into bytes: inout [UInt8]) {
        for element in elements { element.encodeElement(into: &bytes) }
    }

    @inlinable package static func encode(optionals: [Self?], into bytes: inout [UInt8]) {
        for element in optionals {
            if let element { element.encodeElement(into: &bytes) } else { bytes.append(bigEndian: Int32(-1)) }
        }
    }

    @inlinable package func encodeElement(into bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(bigEndian: Int32(0))
        encode(into: &bytes)
        bytes.write(length: bytes.count - start - 4, at: start)
    }

    package init(decodingElement bytes: UnsafeRawBufferPointer?, from column: OID) throws(DecodingFailure) {
        guard let bytes else { throw DecodingFailure(.isNull, Self.self, from: column) }
        try self.init(decoding: bytes, from: column)
    }
}

extension Optional: PostgresElement where Wrapped: PostgresValue {
    package static var elementOID: OID { Wrapped.oid }
    package static var elementArrayOID: OID { Wrapped.arrayOID }
    package static var canBeNull: Bool { true }

    package func encodeElement(into bytes: inout [UInt8]) {
        if let self { self.encodeElement(into: &bytes) } else { bytes.append(bigEndian: Int32(-1)) }
    }

    package static func encode(elements: [Self], into bytes: inout [UInt8]) {
        Wrapped.encode(optionals: elements, into: &bytes)
    }

    package init(decodingElement bytes: UnsafeRawBufferPointer?, from column: OID) throws(DecodingFailure) {
        if let bytes { self = try Wrapped(decoding: bytes, from: column) } else { self = nil }
    }
}

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
