import Domain

/// How a language writes days and times; all of them are in UTC unless a board's day is meant.
struct DateStyle: Sendable {
    private let months: [String]
    private let shortMonths: [String]
    private let long: String
    private let short: String
    private let withoutYear: String
    private let time: String
    private let month: String
    private let numbers: NumberStyle

    init(_ texts: [String: String]) {
        func list(_ key: String) -> [String] {
            let words = (texts[key] ?? "").split(separator: "|").map(String.init)
            return words.count == 12 ? words : (1...12).map(String.init)
        }
        months = list("date.months")
        shortMonths = list("date.short-months")
        long = texts["date.long"] ?? "{d} {month} {y}"
        short = texts["date.short"] ?? "{d} {mon} {y}"
        withoutYear = texts["date.without-year"] ?? "{d} {mon}"
        time = texts["date.time"] ?? "{h}:{m}"
        month = texts["date.month"] ?? "{month} {y}"
        numbers = NumberStyle(texts)
    }

    /// `21 November 2026`
    func long(_ day: Day) -> String { fill(long, day) }
    /// `21 Nov 2026`
    func short(_ day: Day) -> String { fill(short, day) }
    /// `21 Nov`
    func withoutYear(_ day: Day) -> String { fill(withoutYear, day) }
    /// `November 2026`
    func month(_ day: Day) -> String { fill(month, day) }

    /// `21:42`
    func time(_ instant: Instant) -> String {
        let (hour, minute) = instant.hourAndMinute
        return Language.fill(time) { name in
            switch name {
            case "h": numbers.plain(hour, digitsMin: 2)
            case "m": numbers.plain(minute, digitsMin: 2)
            default: ""
            }
        }
    }

    private func fill(_ pattern: String, _ day: Day) -> String {
        let date = day.civil
        return Language.fill(pattern) { name in
            switch name {
            case "d": numbers.plain(date.day)
            case "month": months[date.month - 1]
            case "mon": shortMonths[date.month - 1]
            case "m": numbers.plain(date.month)
            case "y": numbers.plain(date.year)
            default: ""
            }
        }
    }
}

extension Instant {
    /// The hour and the minute in UTC.
    fileprivate var hourAndMinute: (hour: Int64, minute: Int64) {
        let minutes = microsecondsSince1970 / 60_000_000 - (microsecondsSince1970 % 60_000_000 < 0 ? 1 : 0)
        let inDay = minutes % 1_440
        let minute = inDay < 0 ? inDay + 1_440 : inDay
        return (minute / 60, minute % 60)
    }
}
