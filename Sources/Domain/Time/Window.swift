/// A range of a board's days, in the board's zone. No job resets anything, so a past window stays readable for ever.
package enum Window: Sendable, Equatable {
    case all, today, yesterday, week, month
    /// Both ends are included.
    case days(ClosedRange<Day>, name: String)

    /// Parses `all`, `today`, `yesterday`, `week`, `month`, `2026-W47`, `2026-11` or `2026-11-01..2026-11-20` (at most
    /// 366 days); nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.nameBytesMax else { return nil }
        switch text {
        case "all": self = .all
        case "today": self = .today
        case "yesterday": self = .yesterday
        case "week": self = .week
        case "month": self = .month
        default:
            guard let days = Self.isoWeek(text) ?? Self.calendarMonth(text) ?? Self.range(text) else { return nil }
            self = .days(days, name: text)
        }
    }

    /// The longest name is that of a range of days.
    private static let nameBytesMax = 22

    /// The window as requests and feeds write it.
    package var name: String {
        switch self {
        case .all: "all"
        case .today: "today"
        case .yesterday: "yesterday"
        case .week: "week"
        case .month: "month"
        case .days(_, let name): name
        }
    }

    /// The days of the window when `today` is the board's current day; nil for all time. Weeks begin on Monday (ISO
    /// 8601).
    package func days(today: Day) -> ClosedRange<Day>? {
        switch self {
        case .all: return nil
        case .today: return today...today
        case .yesterday:
            let day = today.advanced(byDays: -1)
            return day...day
        case .week:
            let monday = today.advanced(byDays: Int32(1 - today.isoWeekday))
            return monday...monday.advanced(byDays: 6)
        case .month:
            let date = today.civil
            return Self.month(year: date.year, month: date.month) ?? today...today
        case .days(let days, _): return days
        }
    }

    /// The 4th of January is always in week 1, and a week belongs to the year of its Thursday.
    private static func isoWeek(_ text: String) -> ClosedRange<Day>? {
        guard text.utf8.count == 8, text.dropFirst(4).hasPrefix("-W"), let year = Int(digits: text.prefix(4)),
            let week = Int(digits: text.suffix(2)), week >= 1, let fourth = Day(year: year, month: 1, day: 4)
        else { return nil }
        let monday = fourth.advanced(byDays: Int32(1 - fourth.isoWeekday + (week - 1) * 7))
        guard monday.advanced(byDays: 3).civil.year == year else { return nil }
        return monday...monday.advanced(byDays: 6)
    }

    private static func calendarMonth(_ text: String) -> ClosedRange<Day>? {
        guard text.utf8.count == 7, text.dropFirst(4).first == "-", let year = Int(digits: text.prefix(4)),
            let number = Int(digits: text.suffix(2))
        else { return nil }
        return month(year: year, month: number)
    }

    private static func month(year: Int, month: Int) -> ClosedRange<Day>? {
        guard let first = Day(year: year, month: month, day: 1) else { return nil }
        for last in [31, 30, 29] { if let day = Day(year: year, month: month, day: last) { return first...day } }
        return first...first.advanced(byDays: 27)
    }

    private static func range(_ text: String) -> ClosedRange<Day>? {
        guard text.utf8.count == 22, text.dropFirst(10).hasPrefix(".."), let first = day(text.prefix(10)),
            let last = day(text.suffix(10)), first <= last,
            last.daysSince1970 - first.daysSince1970 < Limits.windowDaysMax
        else { return nil }
        return first...last
    }

    private static func day(_ text: Substring) -> Day? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
            let year = Int(digits: parts[0]), let month = Int(digits: parts[1]), let day = Int(digits: parts[2])
        else { return nil }
        return Day(year: year, month: month, day: day)
    }
}
