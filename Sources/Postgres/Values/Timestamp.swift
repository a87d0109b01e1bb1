/// A `timestamptz`: microseconds, which is all that PostgreSQL keeps.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Since 1970-01-01T00:00:00Z, without leap seconds; negative before.
    package var microsecondsSince1970: Int64

    package init(microsecondsSince1970: Int64) { self.microsecondsSince1970 = microsecondsSince1970 }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.microsecondsSince1970 < right.microsecondsSince1970 }
}

/// Decodes what 64 bits hold, -290,308...294,247; `infinity` and the rest of PostgreSQL's year 294,247 to 294,276 are a `DecodingFailure`.
/// A value that PostgreSQL cannot hold is refused by the server (22008), not wrapped round.
extension Timestamp: PostgresValue {
    package static var oid: OID { .timestamptz }
    package static var arrayOID: OID { .timestamptzArray }

    /// 1970 to 2000, where PostgreSQL counts from.
    private static var epochMicroseconds: Int64 { 946_684_800_000_000 }

    package func encode(into bytes: inout [UInt8]) {
        let (value, overflows) = microsecondsSince1970.subtractingReportingOverflow(Self.epochMicroseconds)
        // The two ends of Int64 are the infinities; beside them lies only what the server refuses.
        bytes.append(bigEndian: overflows || value == .min ? .min + 1 : value)
    }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard column == .timestamptz else { throw DecodingFailure(.wrongType, Self.self, from: column) }
        guard bytes.count == 8, let value = bytes.bigEndian(Int64.self) else {
            throw DecodingFailure(.wrongLength, Self.self, from: column)
        }
        let (microseconds, overflows) = value.addingReportingOverflow(Self.epochMicroseconds)
        guard value != .min, !overflows else { throw DecodingFailure(.outOfRange, Self.self, from: column) }
        microsecondsSince1970 = microseconds
    }
}
