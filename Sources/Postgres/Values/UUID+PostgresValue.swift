package import FoundationEssentials

extension UUID: PostgresValue {
    package static var oid: OID { .uuid }
    package static var arrayOID: OID { .uuidArray }

    package func encode(into bytes: inout [UInt8]) { withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) } }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard column == .uuid else { throw DecodingFailure(.wrongType, Self.self, from: column) }
        guard bytes.count == MemoryLayout<uuid_t>.size else { throw DecodingFailure(.wrongLength, Self.self, from: column) }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}
