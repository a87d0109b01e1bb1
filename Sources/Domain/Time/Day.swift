/// A day of the proleptic Gregorian calendar, in the time zone of its board.
package struct Day: Sendable, Hashable, Comparable {
    package let daysSince1970: Int32

    package init(daysSince1970: Int32) { self.daysSince1970 = daysSince1970 }

    package static func < (one: Day, other: Day) -> Bool { one.daysSince1970 < other.daysSince1970 }

    /// The day of a calendar date; nil when there is no such date.
    /// - Parameters:
    ///   - year: 1...9999.
    ///   - month: 1...12.
    ///   - day: 1 to the month's last.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        // This is `days_from_civil` of Howard Hinnant's chrono-compatible algorithms: years begin in March, so the leap
        // day comes last.
        let shiftedYear = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.daysSince1970 = Int32(era * 146_097 + dayOfEra - 719_468)
        let back = civil
        guard back.year == year, back.month == month, back.day == day else { return nil }
    }

    /// The day that ``text`` writes, such as 2026-11-22; nil for any other text.
    package init?(text: String) {
        guard text.utf8.count == 10 else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, let year = Int(digits: parts[0]),
            let month = Int(digits: parts[1]), let day = Int(digits: parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The calendar date of this day.
    package var civil: (year: Int, month: Int, day: Int) {
        let shifted = Int(daysSince1970) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The date as RFC 3339 writes it, such as 2026-11-22.
    package var text: String { String(startInUTC.rfc3339(.seconds).prefix(10)) }

    /// The first instant of the day in UTC.
    package var startInUTC: Instant { Instant(microsecondsSince1970: Int64(daysSince1970) * 86_400_000_000) }

    /// The weekday: 1 is Monday, 7 is Sunday (ISO 8601).
    package var isoWeekday: Int {
        let fromMonday = (Int(daysSince1970) + 3) % 7
        return (fromMonday < 0 ? fromMonday + 7 : fromMonday) + 1
    }

    /// This day moved by whole days; it stops at the ends of the calendar instead of overflowing.
    package func advanced(byDays days: Int32) -> Day {
        let (sum, over) = daysSince1970.addingReportingOverflow(days)
        return Day(daysSince1970: over ? (days < 0 ? .min : .max) : sum)
    }
}

extension Day {
    /// The ISO 8601 week of this day: a week belongs to the year of its Thursday.
    package var isoWeek: (year: Int, week: Int) {
        let thursday = advanced(byDays: Int32(4 - isoWeekday))
        let year = thursday.civil.year
        let first = Day(year: year, month: 1, day: 1) ?? thursday
        return (year, Int(thursday.daysSince1970 - first.daysSince1970) / 7 + 1)
    }

    /// The name of the window that is this day's week: `2026-W47`.
    package var isoWeekName: String {
        let (year, week) = isoWeek
        return Self.padded(year, 4) + "-W" + Self.padded(week, 2)
    }

    /// The name of the window that is this day's month: `2026-11`.
    package var monthName: String { Self.padded(civil.year, 4) + "-" + Self.padded(civil.month, 2) }

    /// The name of the window that is this day alone: `2026-11-21..2026-11-21`.
    package var dayName: String { isoDate + ".." + isoDate }

    /// `2026-11-21`
    package var isoDate: String { monthName + "-" + Self.padded(civil.day, 2) }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}

/// The name of a time zone whose days a board may count: `UTC`, `GMT`, or one with a slash, such as `Europe/Berlin`.
///
/// PostgreSQL takes a short name such as `CET` for an abbreviation, which is a fixed offset without summer time, and
/// `localtime` for whatever zone the machine is in. No such name has a slash. Whether there is the zone, the database
/// says.
package struct ZoneName: Sendable, Hashable {
    package let text: String

    /// - Returns: Nil for a text that cannot be such a name.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard (1...64).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let isPlace = bytes.contains(UInt8(ascii: "/")) && !text.hasPrefix("posix/") && !text.hasPrefix("right/")
        guard isPlace || text == "UTC" || text == "GMT" else { return nil }
        self.text = text
    }

    /// What a zone is, for sentences about a text that is none.
    package static let rule =
        "UTC, or the zone of a place such as Europe/Berlin, because a short one such as CET or EST has no summer time"
}
