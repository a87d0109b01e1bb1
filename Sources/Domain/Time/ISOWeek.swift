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
