/// A `bytea`. It is a type of its own because `[UInt8]` would look like an array of numbers.
package struct Bytes: Hashable, Sendable {
    package var bytes: [UInt8]
    package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

extension Bytes: PostgresValue {
    package static var oid: OID { .bytea }
    package static var arrayOID: OID { .byteaArray }
    package func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: self.bytes) }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard column == .bytea else { throw DecodingFailure(.wrongType, Self.self, from: column) }
        self.bytes = Array(bytes)
    }
}
