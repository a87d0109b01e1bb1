package import Domain

/// A chart of a number a day, as bars in a box of 100 by 100, with its numbers in a table.
package struct ConsoleChart: Sendable {
    private let title: String
    private let days: [(day: Day, number: Int64)]
    private let isDonation: Bool

    /// - Parameters:
    ///   - days: Day by day, the oldest first.
    ///   - isDonation: Whether it is about donations, which has a colour of its own.
    package init(_ title: String, _ days: [(day: Day, number: Int64)], isDonation: Bool = false) {
        (self.title, self.days, self.isDonation) = (title, days, isDonation)
    }

    func scope(_ style: Language) -> Scope {
        let most = days.map { max(0, $0.number) }.max() ?? 0
        let total = days.reduce(Int128(0)) { $0 + Int128($1.number) }
        let count = Int64(max(days.count, 1))
        let bars: [Scope] = days.enumerated().compactMap { index, day in
            guard day.number > 0, most > 0 else { return nil }
            let height = max(100, Int64(Int128(day.number) * 10_000 / Int128(most)))
            let (left, right) = (Int64(index) * 10_000 / count, Int64(index + 1) * 10_000 / count)
            return [
                "x": .text(Self.decimal(left)), "width": .text(Self.decimal(max(20, right - left - 40))),
                "y": .text(Self.decimal(10_000 - height)), "height": .text(Self.decimal(height)),
            ]
        }
        let first = days.first.map { style.dates.withoutYear($0.day) } ?? ""
        let last = days.last.map { style.dates.withoutYear($0.day) } ?? ""
        let sum = style.numbers.text(total)
        return [
            "title": .text(title), "total": .text(sum), "first": .text(first), "last": .text(last),
            "most": .text(style.numbers.text(most)), "is-donation": .flag(isDonation), "bars": .list(bars),
            "label": .text(
                "\(title) a day from \(first) to \(last): \(sum) in all, \(style.numbers.text(most)) at most"),
            "rows": .list(
                days.reversed().map { day in
                    ["day": .text(style.dates.short(day.day)), "number": .text(style.numbers.text(day.number))]
                }),
        ]
    }

    private static func decimal(_ hundredths: Int64) -> String {
        let rest = hundredths % 100
        return "\(hundredths / 100)." + (rest < 10 ? "0" : "") + "\(rest)"
    }
}
