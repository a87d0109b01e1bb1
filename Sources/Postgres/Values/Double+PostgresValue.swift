/// `double precision`; a `real` column is taken too. NaN and the infinities pass unchanged.
extension Double: PostgresValue {
    package static var oid: OID { .float8 }
    package static var arrayOID: OID { .float8Array }
    package func encode(into bytes: inout [UInt8]) { bytes.append(bigEndian: bitPattern) }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        switch (column, bytes.count) {
        case (.float8, 8): self.init(bitPattern: bytes.bigEndian(UInt64.self) ?? 0)
        case (.float4, 4): self.init(Float(bitPattern: bytes.bigEndian(UInt32.self) ?? 0))
        case (.float8, _), (.float4, _): throw DecodingFailure(.wrongLength, Self.self, from: column)
        default: throw DecodingFailure(.wrongType, Self.self, from: column)
        }
    }
}
