/// A `date`: a day of the proleptic Gregorian calendar, in no time zone.
package struct CalendarDay: Hashable, Comparable, Sendable {
    /// 0 is 1970-01-01; negative before.
    package var daysSince1970: Int32

    package init(daysSince1970: Int32) { self.daysSince1970 = daysSince1970 }

    package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.daysSince1970 < right.daysSince1970 }
}

/// `infinity` is a `DecodingFailure`. A day that PostgreSQL cannot hold is refused by the server (22008), not wrapped round.
extension CalendarDay: PostgresValue {
    package static var oid: OID { .date }
    package static var arrayOID: OID { .dateArray }

    /// 1970-01-01 to 2000-01-01, where PostgreSQL counts from.
    private static var epochDays: Int32 { 10_957 }

    package func encode(into bytes: inout [UInt8]) {
        let (value, overflows) = daysSince1970.subtractingReportingOverflow(Self.epochDays)
        // The two ends of Int32 are the infinities; beside them lies only what the server refuses.
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
