extension Bool: PostgresValue {
    package static var oid: OID { .bool }
    package static var arrayOID: OID { .boolArray }
    package func encode(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard column == .bool else { throw DecodingFailure(.wrongType, Self.self, from: column) }
        guard bytes.count == 1 else { throw DecodingFailure(.wrongLength, Self.self, from: column) }
        self = bytes[0] != 0
    }
}
