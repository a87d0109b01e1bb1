/// An instant of the server's clock, in whole microseconds since 1970 in UTC, as RFC 3339 writes it:
/// `2026-11-21T06:40:52.677996Z`.
public struct Timestamp: Sendable, Hashable, Comparable {
    public let microsecondsSince1970: Int64

    public init(microsecondsSince1970: Int64) { self.microsecondsSince1970 = microsecondsSince1970 }

    public static func < (one: Timestamp, other: Timestamp) -> Bool {
        one.microsecondsSince1970 < other.microsecondsSince1970
    }

    /// Nil unless the text is a moment of the years 1 to 9999 in UTC, with up to six digits of a second's fraction.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 27, bytes.last == UInt8(ascii: "Z"),
            zip([4, 7, 10, 13, 16], "--T::".utf8).allSatisfy({ bytes[$0] == $1 })
        else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), year >= 1, (1...12).contains(month), day >= 1,
            day <= Self.days(in: month, of: year), hour < 24, minute < 60, second < 60
        else { return nil }
        var microseconds: Int64 = 0
        if bytes.count > 20 {
            let digits = bytes.count - 21
            guard bytes[19] == UInt8(ascii: "."), digits > 0, var fraction = number(20..<20 + digits) else {
                return nil
            }
            for _ in digits..<6 { fraction *= 10 }
            microseconds = fraction
        }
        let seconds = Self.days(before: year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
        self.init(microsecondsSince1970: seconds * 1_000_000 + microseconds)
    }

    /// The text with six digits of the second's fraction.
    public var text: String {
        let (days, inDay) = Self.divide(microsecondsSince1970, by: 86_400_000_000)
        let (year, month, day) = Self.date(days)
        let seconds = inDay / 1_000_000
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(seconds / 3_600, 2)):"
            + "\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2)).\(padded(inDay % 1_000_000, 6))Z"
    }
}

// MARK: - The calendar

extension Timestamp {
    /// Days from 1970-01-01 to a date, by years that begin in March, so that the leap day is a year's last.
    private static func days(before year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = divide(shifted, by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = divide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Division that rounds down, with a remainder that is never negative.
    private static func divide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let timestamp = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no moment in UTC")
        }
        self = timestamp
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
