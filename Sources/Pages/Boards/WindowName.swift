import Domain

/// A window in the words of a language.
struct WindowName {
    private let window: Window
    private let language: Language
    private let season: Int32?

    /// - Parameter season: The number of the season, on a board that has several: its rows are not those of all time.
    init(_ window: Window, _ language: Language, season: Int32? = nil) {
        self.window = window
        self.language = language
        self.season = season
    }

    /// `this week`, as titles and captions say it.
    var text: String { word("window") }
    /// `This week`
    var tab: String { word("tab") }
    /// What follows "63 players": `this week`, or nothing for all time.
    var inSentence: String { word("in-window") }
    /// The heading of a page without rows.
    var emptyTitle: String {
        switch window {
        case .today, .week, .month: language.text("empty.\(window.name)")
        case .all: language.text("board.empty-title")
        case .yesterday, .days: language.text("empty.past")
        }
    }

    private func word(_ kind: String) -> String {
        if case .days(let days, let name) = window {
            return language.text("\(kind).past", ["name": Self.past(days, name, language)])
        }
        if window == .all, let season { return language.text("\(kind).season", ["n": language.numbers.plain(season)]) }
        return language.text("\(kind).\(window.name)")
    }

    /// A past week, month, day or range of days.
    static func past(_ days: ClosedRange<Day>, _ name: String, _ language: Language) -> String {
        let (first, last) = (days.lowerBound, days.upperBound)
        if name == first.isoWeekName {
            let (year, week) = first.isoWeek
            return language.text("week.number", ["w": language.numbers.plain(week), "y": language.numbers.plain(year)])
        }
        if name == first.monthName { return language.dates.month(first) }
        if first == last { return language.dates.long(first) }
        return language.text("days.range", ["first": language.dates.short(first), "last": language.dates.short(last)])
    }
}

/// The windows before the current ones, by kind.
struct EarlierWindows {
    private let today: Day
    private let language: Language

    init(_ today: Day, _ language: Language) {
        self.today = today
        self.language = language
    }

    /// - Parameter current: The window that is shown.
    func groups(_ current: Window) -> [Scope] {
        let days = (1...6).map { today.advanced(byDays: -$0) }.map { ($0.dayName, $0...$0) }
        let weeks = (1...8).map { today.advanced(byDays: -7 * $0) }.map { ($0.isoWeekName, $0...$0) }
        let months = monthsBefore(12).map { ($0.monthName, $0...$0) }
        return [("earlier.days", days), ("earlier.weeks", weeks), ("earlier.months", months)].map { key, windows in
            [
                "label": .text(language.text(key)),
                "options": .list(
                    windows.map { name, days in
                        [
                            "value": .text(name), "label": .text(label(name, days.lowerBound)),
                            "is-current": .flag(current.name == name),
                        ]
                    }),
            ]
        }
    }

    private func label(_ name: String, _ day: Day) -> String { WindowName.past(day...day, name, language) }

    private func monthsBefore(_ count: Int) -> [Day] {
        var months: [Day] = []
        var (year, month) = (today.civil.year, today.civil.month)
        while months.count < count {
            (year, month) = month == 1 ? (year - 1, 12) : (year, month - 1)
            guard let day = Day(year: year, month: month, day: 1) else { break }
            months.append(day)
        }
        return months
    }
}
