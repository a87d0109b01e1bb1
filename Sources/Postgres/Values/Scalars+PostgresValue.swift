package import FoundationEssentials

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

/// `text`, and every type whose binary form is its text. A string with U+0000 in it is refused by the server (22021).
extension String: PostgresValue {
    package static var oid: OID { .text }
    package static var arrayOID: OID { .textArray }

    package func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        switch column {
        case .text, .varchar, .name, .bpchar, .json, .xml, .unknown: self.init(decoding: bytes, as: UTF8.self)
        case .jsonb:
            // The first byte is the version of the format.
            guard bytes.first == 1 else { throw DecodingFailure(.malformed, Self.self, from: column) }
            self.init(decoding: bytes.dropFirst(), as: UTF8.self)
        default: throw DecodingFailure(.wrongType, Self.self, from: column)
        }
    }
}

extension UUID: PostgresValue {
    package static var oid: OID { .uuid }
    package static var arrayOID: OID { .uuidArray }

    package func encode(into bytes: inout [UInt8]) { withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) } }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard column == .uuid else { throw DecodingFailure(.wrongType, Self.self, from: column) }
        guard bytes.count == MemoryLayout<uuid_t>.size else {
            throw DecodingFailure(.wrongLength, Self.self, from: column)
        }
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}
