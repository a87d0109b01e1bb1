import Domain
import Foundation
import Testing

/// The meaning of a window by Foundation's calendar alone: which instants belong to it, and when it begins and ends.
struct WindowByHand {
    private let calendar: Calendar
    private let isoCalendar: Calendar
    private let name: String
    private let now: Date

    init(_ name: String, now: Instant, zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
        var isoCalendar = Calendar(identifier: .iso8601)
        isoCalendar.timeZone = zone
        self.isoCalendar = isoCalendar
        self.name = name
        self.now = now.date
    }

    /// When the window begins and ends; nil for all time.
    func span() throws -> DateInterval? {
        switch name {
        case "all": return nil
        case "today": return try day(now)
        case "yesterday": return try day(day(now).start.addingTimeInterval(-1))
        case "week": return try week(now)
        case "month": return try month(now)
        default: break
        }
        let numbers = name.split { !$0.isNumber }.compactMap { Int($0) }
        switch name.utf8.count {
        case 8:
            // The 4th of January is in the year's first week.
            let fourth = try #require(
                isoCalendar.date(from: DateComponents(year: numbers[0], month: 1, day: 4, hour: 12)))
            return try week(try #require(isoCalendar.date(byAdding: .weekOfYear, value: numbers[1] - 1, to: fourth)))
        case 7: return try month(noon(numbers[0], numbers[1], 15))
        default:
            let (first, last) = (
                try noon(numbers[0], numbers[1], numbers[2]), try noon(numbers[3], numbers[4], numbers[5])
            )
            return DateInterval(start: try day(first).start, end: try day(last).end)
        }
    }

    /// Whether an instant is in the window, by the names of the days, weeks and months alone.
    func contains(_ instant: Instant) -> Bool {
        let date = instant.date
        switch name {
        case "all": return true
        case "today": return dayName(date) == dayName(now)
        case "yesterday":
            guard
                let before = calendar.date(
                    byAdding: .day, value: -1, to: calendar.startOfDay(for: now).addingTimeInterval(43_200))
            else { return false }
            return dayName(date) == dayName(before)
        case "week": return weekName(date) == weekName(now)
        case "month": return dayName(date).prefix(7) == dayName(now).prefix(7)
        default: break
        }
        switch name.utf8.count {
        case 8: return weekName(date) == name
        case 7: return dayName(date).prefix(7) == name
        default: return name.prefix(10) <= dayName(date) && dayName(date) <= name.suffix(10)
        }
    }

    private func dayName(_ date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        return "\(parts.year ?? 0)-\(Self.two(parts.month))-\(Self.two(parts.day))"
    }

    private func weekName(_ date: Date) -> String {
        let parts = isoCalendar.dateComponents([.yearForWeekOfYear, .weekOfYear], from: date)
        return "\(parts.yearForWeekOfYear ?? 0)-W\(Self.two(parts.weekOfYear))"
    }

    private static func two(_ number: Int?) -> String {
        let digits = "\(number ?? 0)"
        return digits.count == 1 ? "0\(digits)" : digits
    }

    private func noon(_ year: Int, _ month: Int, _ day: Int) throws -> Date {
        try #require(calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12)))
    }

    private func day(_ date: Date) throws -> DateInterval { try #require(calendar.dateInterval(of: .day, for: date)) }

    private func week(_ date: Date) throws -> DateInterval {
        try #require(isoCalendar.dateInterval(of: .weekOfYear, for: date))
    }

    private func month(_ date: Date) throws -> DateInterval {
        try #require(calendar.dateInterval(of: .month, for: date))
    }
}

extension Instant {
    /// Rounds to whole seconds.
    init(_ date: Date) { self.init(microsecondsSince1970: Int64(date.timeIntervalSince1970.rounded()) * 1_000_000) }

    var date: Date { Date(timeIntervalSince1970: Double(microsecondsSince1970) / 1e6) }

    func advanced(byMicroseconds microseconds: Int64) -> Instant {
        Instant(microsecondsSince1970: microsecondsSince1970 + microseconds)
    }
}
