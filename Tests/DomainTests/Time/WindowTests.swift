import Domain
import Foundation
import TestDice
import Testing

@Suite struct WindowTests {
    private func day(_ year: Int, _ month: Int, _ day: Int) throws -> Day {
        try #require(Day(year: year, month: month, day: day))
    }

    /// A window's first and last day, as `2026-11-16..2026-11-22`. The board's day does not matter for a fixed window.
    private func span(_ text: String, today: Day = Day(daysSince1970: 0)) -> String? {
        Window(text)?.days(today: today).map { "\(written($0.lowerBound))..\(written($0.upperBound))" }
    }

    private func written(_ day: Day) -> String {
        func padded(_ value: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(width - String(value).count, 0)) + String(value)
        }
        return "\(padded(day.civil.year, 4))-\(padded(day.civil.month, 2))-\(padded(day.civil.day, 2))"
    }

    @Test("all time has no first and last day") func all() throws {
        let window = try #require(Window("all"))
        #expect(window == .all)
        #expect(window.days(today: Day(daysSince1970: 0)) == nil)
    }

    @Test("a relative window is about the board's day") func relative() throws {
        let today = try day(2026, 11, 21)  // a Saturday
        #expect(span("today", today: today) == "2026-11-21..2026-11-21")
        #expect(span("yesterday", today: today) == "2026-11-20..2026-11-20")
        #expect(span("week", today: today) == "2026-11-16..2026-11-22")
        #expect(span("month", today: today) == "2026-11-01..2026-11-30")
        #expect(span("yesterday", today: try day(2026, 3, 1)) == "2026-02-28..2026-02-28")
        #expect(span("yesterday", today: try day(2027, 1, 1)) == "2026-12-31..2026-12-31")
        #expect(span("month", today: try day(2024, 2, 29)) == "2024-02-01..2024-02-29")
        #expect(span("month", today: try day(2100, 2, 1)) == "2100-02-01..2100-02-28")
        #expect(span("month", today: try day(2026, 12, 31)) == "2026-12-01..2026-12-31")
    }

    @Test("a week begins on Monday and ends on Sunday, whatever day it is") func week() throws {
        for offset in 0..<7 {
            let today = try day(2026, 12, 28).advanced(byDays: Int32(offset))
            #expect(span("week", today: today) == "2026-12-28..2027-01-03")
        }
        #expect(span("week", today: try day(2026, 12, 27)) == "2026-12-21..2026-12-27")
        #expect(span("week", today: try day(2027, 1, 4)) == "2027-01-04..2027-01-10")
    }

    @Test("windows are days: a week in which the clocks change has seven") func clockChanges() throws {
        // Clocks change on 2026-03-29 and 2026-10-25 in Europe, and on 2026-03-08 and 2026-11-01 in America.
        for (month, date) in [(3, 29), (10, 25), (3, 8), (11, 1)] {
            let days = try #require(Window.week.days(today: try day(2026, month, date)))
            #expect(days.upperBound.daysSince1970 - days.lowerBound.daysSince1970 == 6)
        }
        #expect(span("2026-10") == "2026-10-01..2026-10-31")
    }

    @Test("a window at the ends of the calendar does not trap, and holds its day but for yesterday's") func extremes()
        throws
    {
        for today in [Day(daysSince1970: .min), Day(daysSince1970: .max), try day(1, 1, 1), try day(9999, 12, 31)] {
            for window in [Window.today, .week, .month] {
                let days = try #require(window.days(today: today))
                #expect(days.contains(today))
            }
            #expect(try #require(Window.yesterday.days(today: today)).upperBound <= today)
        }
    }

    @Test("a named week is ISO 8601's: the first is the one with the 4th of January") func isoWeeks() {
        #expect(span("2026-W47") == "2026-11-16..2026-11-22")
        #expect(span("2026-W01") == "2025-12-29..2026-01-04")
        #expect(span("2026-W53") == "2026-12-28..2027-01-03")
        #expect(span("2027-W01") == "2027-01-04..2027-01-10")
        #expect(span("2020-W53") == "2020-12-28..2021-01-03")
        #expect(span("2009-W01") == "2008-12-29..2009-01-04")
        #expect(span("2024-W52") == "2024-12-23..2024-12-29")
        #expect(span("0001-W01") == "0001-01-01..0001-01-07")
        #expect(span("9999-W52") == "9999-12-27..10000-01-02")
        for text in ["2025-W53", "2027-W53", "2026-W54", "2026-W00", "2026-W99", "0000-W01", "9999-W53"] {
            #expect(Window(text) == nil, "\(text)")
        }
    }

    @Test("every week of two centuries is the one of Foundation's calendar") func weeksOfFoundation() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var monday = try day(1900, 1, 1)
        let end = try day(2100, 1, 1)
        while monday < end {
            let parts = calendar.dateComponents(
                [.yearForWeekOfYear, .weekOfYear],
                from: Date(timeIntervalSince1970: Double(monday.daysSince1970) * 86_400))
            let (year, week) = (try #require(parts.yearForWeekOfYear), try #require(parts.weekOfYear))
            let window = Window("\(year)-W\(week < 10 ? "0" : "")\(week)")
            #expect(window?.days(today: monday) == monday...monday.advanced(byDays: 6), "\(year)-W\(week)")
            monday = monday.advanced(byDays: 7)
        }
    }

    @Test("a named month is its days") func months() {
        #expect(span("2026-11") == "2026-11-01..2026-11-30")
        #expect(span("2026-12") == "2026-12-01..2026-12-31")
        #expect(span("2024-02") == "2024-02-01..2024-02-29")
        #expect(span("2026-02") == "2026-02-01..2026-02-28")
        #expect(span("0001-01") == "0001-01-01..0001-01-31")
        #expect(span("9999-12") == "9999-12-01..9999-12-31")
        for text in ["2026-00", "2026-13", "0000-01", "2026-1", "26-11"] { #expect(Window(text) == nil, "\(text)") }
    }

    @Test("a range has both its ends and at most 366 days") func ranges() {
        for text in [
            "2026-11-01..2026-11-20", "2026-11-01..2026-11-01", "2026-01-01..2027-01-01", "2024-01-01..2024-12-31",
            "0001-01-01..0001-12-31", "9999-01-01..9999-12-31",
        ] { #expect(span(text) == text) }
        for text in [
            "2026-01-01..2027-01-02", "2024-01-01..2025-01-01", "0001-01-01..9999-12-31", "2026-11-20..2026-11-19",
            "2026-02-29..2026-03-01", "2026-02-01..2026-02-29", "0000-01-01..0000-01-02", "2026-11-01...2026-11-20",
            "2026-11-01..", "..2026-11-20", "2026-11-01.2026-11-20", "2026-1-001..2026-11-20", "2026-11-01-.2026-11-20",
            "2026-11..2026-11-2000", "2026-11-01..2026-11-20Z",
        ] { #expect(Window(text) == nil, "\(text)") }
    }

    @Test(
        "what is no window is nil",
        arguments: [
            "", " ", "All", "TODAY", " today", "today ", "tomorrow", "year", "2026", "2026-11-21", "2026-w47",
            "2026W47", "2026-W7", "2026-W047", "2026-W4\u{663}", "２０２６-11", "-026-W47", "+026-W47", "2026-W+1",
            "2026-+1", "2026-W-1", "2026-W47\u{301}", "2026\u{301}-11", "-----", "2026-11-01..2026-11-2\u{301}",
            "+026-11-01..2026-11-20", "2026-11-01..2026-11-+2", "all\0", "week,month", "ＡＬＬ",
        ]) func bad(text: String)
    { #expect(Window(text) == nil) }

    @Test("a window's name is the text that asked for it") func names() {
        for text in ["all", "today", "yesterday", "week", "month", "2026-W47", "2026-11", "2026-11-01..2026-11-20"] {
            #expect(Window(text)?.name == text)
        }
    }

    @Test("a damaged window is none, or spans 1 to 366 days that its text names", arguments: Dice.seeds(6)) func fuzz(
        seed: UInt64
    ) throws {
        var dice = Dice(seed: seed)
        var read = 0
        for round in 0..<20_000 {
            let text = dice.damaged(
                ["2026-W47", "2026-11", "2026-11-01..2026-11-20", "2024-02-29..2025-02-27"][round % 4])
            guard let window = Window(text) else { continue }
            read += 1
            let days = try #require(window.days(today: Day(daysSince1970: 0)))
            #expect((0..<366).contains(days.upperBound.daysSince1970 - days.lowerBound.daysSince1970), "\(text)")
            switch text.utf8.count {
            case 22: #expect(span(text) == text)
            case 7: #expect(written(days.lowerBound) == text + "-01")
            default:
                #expect(
                    days.lowerBound.isoWeekday == 1
                        && String(days.lowerBound.advanced(byDays: 3).civil.year) == String(Int(text.prefix(4)) ?? 0))
            }
        }
        #expect((500...19_500).contains(read), "both kinds are met")
    }
}
