import Domain
import Foundation
import TestDice
import Testing

@Suite struct DayTests {
    private func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private func lastDay(year: Int, month: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    @Test("every date of the years 1 to 9999 is its number of days and back, one after the other") func roundTrip() {
        var expected: Int32 = -719_162  // 0001-01-01, as PostgreSQL counts it
        for year in 1...9999 {
            for month in 1...12 {
                for day in 1...lastDay(year: year, month: month) {
                    let date = Day(daysSince1970: expected).civil
                    guard date == (year, month, day), Day(year: year, month: month, day: day)?.daysSince1970 == expected
                    else {
                        Issue.record("\(year)-\(month)-\(day) is not day \(expected)")
                        return
                    }
                    expected += 1
                }
            }
        }
        #expect(expected == 2_932_897)  // 10000-01-01
    }

    @Test("known days are where they are") func known() {
        #expect(Day(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
        #expect(Day(year: 1969, month: 12, day: 31)?.daysSince1970 == -1)
        #expect(Day(year: 2000, month: 2, day: 29)?.daysSince1970 == 11_016)
        #expect(Day(year: 2009, month: 9, day: 12)?.daysSince1970 == 14_499)
    }

    @Test(
        "a date that is none is nil",
        arguments: [
            (0, 1, 1), (10_000, 1, 1), (-1, 1, 1), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, -1),
            (2026, 1, 32), (2026, 4, 31), (2026, 2, 29), (2024, 2, 30), (1900, 2, 29), (2100, 2, 29), (.max, 1, 1),
            (.min, 1, 1), (2026, .max, 1), (2026, .min, 1), (2026, 12, .max), (2026, 12, .min),
        ]) func none(year: Int, month: Int, day: Int)
    { #expect(Day(year: year, month: month, day: day) == nil) }

    @Test("a leap day comes every fourth year, but in centuries only every fourth") func leapDays() {
        for (year, isLeap) in [
            (4, true), (1600, true), (1700, false), (2000, true), (2023, false), (2024, true), (2400, true),
            (9999, false),
        ] { #expect((Day(year: year, month: 2, day: 29) != nil) == isLeap, "\(year)") }
    }

    @Test("the weekday is that of Foundation's calendar", arguments: Dice.seeds(1)) func weekday(seed: UInt64) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var dice = Dice(seed: seed)
        let days =
            Array(Int32(-10)...10) + (0..<5_000).map { _ in Int32.random(in: -719_162...2_932_896, using: &dice) }
        for day in days {
            let sundayFirst = calendar.component(.weekday, from: Date(timeIntervalSince1970: Double(day) * 86_400))
            #expect(Day(daysSince1970: day).isoWeekday == (sundayFirst + 5) % 7 + 1, "day \(day)")
        }
    }

    @Test("the ends of the calendar have a date and a weekday") func extremes() {
        for (days, step) in [(Int32.min, Int32(1)), (.max, -1)] {
            let end = Day(daysSince1970: days)
            let neighbour = end.advanced(byDays: step)
            #expect((1...12).contains(end.civil.month) && (1...31).contains(end.civil.day))
            #expect((end.isoWeekday - 1 + Int(step) + 7) % 7 + 1 == neighbour.isoWeekday)
            #expect(end.civil.year.signum() == days.signum())
        }
    }

    @Test("moving by days stops at the ends of the calendar") func advanced() {
        #expect(Day(daysSince1970: 5).advanced(byDays: -7) == Day(daysSince1970: -2))
        #expect(Day(daysSince1970: .max).advanced(byDays: 1) == Day(daysSince1970: .max))
        #expect(Day(daysSince1970: .max).advanced(byDays: .max) == Day(daysSince1970: .max))
        #expect(Day(daysSince1970: .min).advanced(byDays: -1) == Day(daysSince1970: .min))
        #expect(Day(daysSince1970: .min).advanced(byDays: .min) == Day(daysSince1970: .min))
        #expect(Day(daysSince1970: .min).advanced(byDays: .max) == Day(daysSince1970: -1))
    }

    @Test("days are in the order of time") func order() {
        #expect(Day(daysSince1970: -1) < Day(daysSince1970: 0))
        #expect([3, -2, 0].map(Day.init(daysSince1970:)).sorted().map(\.daysSince1970) == [-2, 0, 3])
    }
}

@Suite struct ZoneNameTests {
    @Test("a zone is UTC or a place's") func good() {
        for name in ["UTC", "GMT", "Europe/Berlin", "America/Argentina/Ushuaia", "Etc/UTC", "Etc/GMT+5", "US/Eastern"] {
            #expect(ZoneName(name)?.text == name)
        }
    }

    @Test("a short name may be an abbreviation without summer time, and others mean what the machine does") func bad() {
        for name in [
            "CET", "MET", "EET", "WET", "EST", "MST", "HST", "cet", "utc", "EST5EDT", "localtime", "posixrules",
            "Factory", "posix/Europe/Berlin", "right/Europe/Berlin", "", " UTC", "Europe/Berlin ", "Europe/Bérlin",
            "+01:00", "Mars", String(repeating: "a/", count: 33),
        ] { #expect(ZoneName(name) == nil, "\(name)") }
        #expect(ZoneName.rule.contains("Europe/Berlin"))
    }
}
