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
