/// A value that PostgreSQL takes and gives in binary form.
///
/// The binary formats are those of each type's `*_recv` and `*_send` functions in PostgreSQL's `src/backend/utils/adt`.
package protocol PostgresValue: PostgresElement {
    /// The type a parameter of this kind is declared as.
    static var oid: OID { get }

    /// The type of a one-dimensional array of these; `.unspecified` when PostgreSQL has none.
    static var arrayOID: OID { get }

    /// Appends the binary form, without a length.
    func encode(into bytes: inout [UInt8])

    /// Reads the binary form.
    /// - Parameters:
    ///   - bytes: the whole value and nothing else; valid only during the call.
    ///   - column: the type the server says it has. Wider and narrower types than `oid` may be taken.
    /// - Throws: When the type, the length or the content is not one that this type can hold. Never traps.
    init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure)
}

/// An enumeration or an id wraps a value and needs nothing but the conformance.
extension PostgresValue where Self: RawRepresentable, RawValue: PostgresValue {
    package static var oid: OID { RawValue.oid }
    package static var arrayOID: OID { RawValue.arrayOID }

    package func encode(into bytes: inout [UInt8]) { rawValue.encode(into: &bytes) }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard let value = try Self(rawValue: RawValue(decoding: bytes, from: column)) else {
            throw DecodingFailure(.outOfRange, Self.self, from: column)
        }
        self = value
    }
}

/// What an array can be made of: a value, or an optional value for arrays with NULLs in them.
///
/// Nobody conforms to this by hand: every `PostgresValue` is one.
package protocol PostgresElement: Sendable {
    static var elementOID: OID { get }
    static var elementArrayOID: OID { get }

    /// Whether this element is NULL.
    var isNull: Bool { get }

    /// Appends a length (-1 for NULL) and the binary form.
    func encodeElement(into bytes: inout [UInt8])

    /// - Parameter bytes: the element without its length; nil is NULL.
    init(decodingElement bytes: UnsafeRawBufferPointer?, from column: OID) throws(DecodingFailure)
}

extension PostgresValue {
    package static var elementOID: OID { oid }
    package static var elementArrayOID: OID { arrayOID }
    package var isNull: Bool { false }

    package func encodeElement(into bytes: inout [UInt8]) {
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
    package var isNull: Bool { self == nil }

    package func encodeElement(into bytes: inout [UInt8]) {
        if let self { self.encodeElement(into: &bytes) } else { bytes.append(bigEndian: Int32(-1)) }
    }

    package init(decodingElement bytes: UnsafeRawBufferPointer?, from column: OID) throws(DecodingFailure) {
        if let bytes { self = try Wrapped(decoding: bytes, from: column) } else { self = nil }
    }
}
