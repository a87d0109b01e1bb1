import Domain

/// The curve of a charity's total from its first donation to today, as SVG in a box of 100 by 100.
struct DonationChart {
    private let days: [(day: Day, sum: Int128)]
    private let growth: [CharityGrowth.DayTotal]
    private let goal: Int64?
    private let language: Language
    /// The value at the top of the box.
    private let most: Int128

    /// - Parameter today: The last day of the curve.
    /// - Returns: Nil before there are two days to draw between.
    init?(_ growth: [CharityGrowth.DayTotal], goal: Int64?, today: Day, _ language: Language) {
        guard let first = growth.first, first.day < today else { return nil }
        var sum: Int128 = 0
        var days: [(day: Day, sum: Int128)] = [(first.day.advanced(byDays: -1), 0)]
        for total in growth {
            let (next, over) = sum.addingReportingOverflow(total.points)
            if over { return nil }
            // A day without donations keeps the curve level.
            if let last = days.last, total.day > last.day.advanced(byDays: 1) {
                days.append((total.day.advanced(byDays: -1), sum))
            }
            sum = next
            days.append((total.day, sum))
        }
        if let last = days.last, last.day < today { days.append((today, sum)) }
        self.days = days
        self.growth = growth
        self.goal = goal
        self.language = language
        most = Self.roundedUp(max(sum, Int128(goal ?? 0), 1))
    }

    func fill(_ name: String) -> Fill {
        guard let first = days.first, let last = days.last else { return false }
        let steepest = growth.max { $0.points < $1.points }
        let values = [
            "name": name, "first": language.dates.long(growth.first?.day ?? first.day),
            "last": language.dates.long(last.day), "total": language.numbers.text(last.sum),
            "steepest": language.dates.long(steepest?.day ?? last.day),
        ]
        return .scope([
            "label": .text(language.text("chart.label", values)),
            "caption": .text(language.text(goal == nil ? "chart.caption" : "chart.caption-goal")),
            "table-caption": .text(language.text("chart.table", values)),
            "points": .text(points(from: first.day, to: last.day)),
            "goal": goal.map { .text(height(Int128($0))) } ?? false,
            "lines": .list((1...3).map { ["at": .text(height(most * Int128(3 - $0) / 3))] }),
            "y": .list((0...3).map { ["label": .text(language.numbers.text(most * Int128(3 - $0) / 3))] }),
            "x": .list(dates(from: first.day, to: last.day)), "table": .list(table),
        ])
    }

    private func points(from first: Day, to last: Day) -> String {
        let span = max(Int64(last.daysSince1970) - Int64(first.daysSince1970), 1)
        return days.map { day, sum in
            let hundredths = (Int64(day.daysSince1970) - Int64(first.daysSince1970)) * 10_000 / span
            return Self.decimal(hundredths) + "," + height(sum)
        }.joined(separator: " ")
    }

    private func height(_ sum: Int128) -> String { Self.decimal(10_000 - Int64(clamping: sum * 10_000 / most)) }

    private static func decimal(_ hundredths: Int64) -> String {
        let rest = hundredths % 100
        return "\(hundredths / 100)." + (rest < 10 ? "0" : "") + "\(rest)"
    }

    /// Five dates, evenly spread, or fewer where there are fewer days.
    private func dates(from first: Day, to last: Day) -> [Scope] {
        let span = last.daysSince1970 - first.daysSince1970
        let steps = min(4, span)
        return (0...steps).map { step in
            let day = first.advanced(byDays: Int32(clamping: Int64(span) * Int64(step) / Int64(max(steps, 1))))
            return ["label": .text(language.dates.withoutYear(day))]
        }
    }

    /// The days that brought most lately: a table of all of them would be longer than the page.
    private var table: [Scope] {
        var sums = days.reduce(into: [Day: Int128]()) { $0[$1.day] = $1.sum }
        return growth.suffix(Self.tableRowsMax).map { total in
            [
                "day": .text(language.dates.short(total.day)), "donated": .text(language.numbers.text(total.points)),
                "sum": .text(language.numbers.text(sums.removeValue(forKey: total.day) ?? 0)),
            ]
        }
    }

    private static let tableRowsMax = 60

    /// The next number that three lines divide evenly: 3, 6 or 9 times a power of ten, or 12, 15, 21 of them.
    private static func roundedUp(_ number: Int128) -> Int128 {
        var scale: Int128 = 1
        // Points of all players together have far fewer digits than this can hold.
        while scale < Int128.max / 1_000 {
            for factor: Int128 in [3, 6, 9, 12, 15, 21, 24] where factor * scale >= number { return factor * scale }
            scale *= 10
        }
        return number
    }
}
