/// A `date`: a day of the proleptic Gregorian calendar, in no time zone.
package struct CalendarDay: Hashable, Comparable, Sendable {
    /// 0 is 1970-01-01; negative before.
    package var daysSince1970: Int32

    package init(daysSince1970: Int32) { self.daysSince1970 = daysSince1970 }

    package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.daysSince1970 < right.daysSince1970 }
}

/// `infinity` is a `DecodingFailure`. A day that PostgreSQL cannot hold is refused by the server (22008), not wrapped
/// round.
extension CalendarDay: PostgresValue {
    package static var oid: OID { .date }
    package static var arrayOID: OID { .dateArray }

    /// Days from 1970-01-01 to 2000-01-01, where PostgreSQL counts from.
    private static var epochDays: Int32 { 10_957 }

    package func encode(into bytes: inout [UInt8]) {
        let (value, overflows) = daysSince1970.subtractingReportingOverflow(Self.epochDays)
        // The two ends of Int32 are the infinities; the server refuses the values next to them.
        bytes.append(bigEndian: overflows || value == .min ? .min + 1 : value)
    }

    package init(decoding bytes: UnsafeRawBufferPointer, from column: OID) throws(DecodingFailure) {
        guard column == .date else { throw DecodingFailure(.wrongType, Self.self, from: column) }
        guard bytes.count == 4, let value = bytes.bigEndian(Int32.self) else {
            throw DecodingFailure(.wrongLength, Self.self, from: column)
        }
        let (days, overflows) = value.addingReportingOverflow(Self.epochDays)
        guard value != .min, !overflows else { throw DecodingFailure(.outOfRange, Self.self, from: column) }
        daysSince1970 = days
    }
}

/// A `timestamptz`: microseconds, which is all that PostgreSQL keeps.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z, without leap seconds; negative before.
    package var microsecondsSince1970: Int64

    package init(microsecondsSince1970: Int64) { self.microsecondsSince1970 = microsecondsSince1970 }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }
}

/// Decodes times that 64 bits hold, in the years -290,308...294,247; `infinity` and the rest of PostgreSQL's year
/// 294,247 to 294,276 are a `DecodingFailure`. A value that PostgreSQL cannot hold is refused by the server (22008),
/// not wrapped round.
extension Timestamp: PostgresValue {
    package static var oid: OID { .timestamptz }
    package static var arrayOID: OID { .timestamptzArray }

    /// Microseconds from 1970 to 2000, where PostgreSQL counts from.
    private static var epochMicroseconds: Int64 { 946_684_800_000_000 }

    package func encode(into bytes: inout [UInt8]) {
        let (value, overflows) = microsecondsSince1970.subtractingReportingOverflow(Self.epochMicroseconds)
        // The two ends of Int64 are the infinities; the server refuses the values next to them.
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
