extension Int16: PostgresValue {
    package static var oid: OID { .int2 }
    package static var arrayOID: OID { .int2Array }
    @inlinable package func encode(into bytes: inout [UInt8]) { bytes.append(bigEndian: self) }
    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        self = try decodeInteger(bytes, from: column)
    }
}

extension Int32: PostgresValue {
    package static var oid: OID { .int4 }
    package static var arrayOID: OID { .int4Array }
    @inlinable package func encode(into bytes: inout [UInt8]) { bytes.append(bigEndian: self) }
    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        self = try decodeInteger(bytes, from: column)
    }
}

extension Int64: PostgresValue {
    package static var oid: OID { .int8 }
    package static var arrayOID: OID { .int8Array }
    @inlinable package func encode(into bytes: inout [UInt8]) { bytes.append(bigEndian: self) }
    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        self = try decodeInteger(bytes, from: column)
    }
}

/// `Int` is bound as `bigint`. A statement that needs an `int` casts it: `limit $1::int`.
extension Int: PostgresValue {
    package static var oid: OID { .int8 }
    package static var arrayOID: OID { .int8Array }
    @inlinable package func encode(into bytes: inout [UInt8]) { bytes.append(bigEndian: Int64(self)) }
    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        self = try decodeInteger(bytes, from: column)
    }
}

/// Decodes an integer column that is no wider than `I`, so that whether a row decodes depends on the types and never on
/// the data.
private func decodeInteger<I: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, from column: OID)
    throws(DecodingFailure) -> I
{
    let widthBytes =
        switch column {
        case .int2: 2
        case .int4: 4
        case .int8: 8
        default: 0
        }
    guard widthBytes > 0, widthBytes <= MemoryLayout<I>.size else {
        throw DecodingFailure(.wrongType, I.self, from: column)
    }
    guard bytes.count == widthBytes else { throw DecodingFailure(.wrongLength, I.self, from: column) }
    switch widthBytes {
    case 2: return I(truncatingIfNeeded: bytes.bigEndian(Int16.self) ?? 0)
    case 4: return I(truncatingIfNeeded: bytes.bigEndian(Int32.self) ?? 0)
    default: return I(truncatingIfNeeded: bytes.bigEndian(Int64.self) ?? 0)
    }
}
