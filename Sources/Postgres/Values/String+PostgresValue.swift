/// `text`, and every type whose binary form is its text. A string with U+0000 in it is refused by the server (22021).
extension String: PostgresValue {
    package static var oid: OID { .text }
    package static var arrayOID: OID { .textArray }

    package func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        switch column {
        case .text, .varchar, .name, .bpchar, .json, .xml, .unknown:
            self.init(decoding: bytes, as: UTF8.self)
        case .jsonb:
            guard bytes.first == 1 else { throw DecodingFailure(.malformed, Self.self, from: column) }  // the format's version
            self.init(decoding: bytes.dropFirst(), as: UTF8.self)
        default:
            throw DecodingFailure(.wrongType, Self.self, from: column)
        }
    }
}
