import Domain

/// How a language writes numbers.
struct NumberStyle: Sendable {
    private let digits: [Character]
    private let group: String
    /// The fewest digits of a number that is grouped: 5 leaves 1234 as it is.
    private let groupFrom: Int
    private let decimal: String
    private let minus: String
    private let percent: String
    /// Large units by their powers of ten, such as 9 for `B`, the smallest first.
    private let units: [(power: Int, name: String)]

    init(_ texts: [String: String]) {
        let digits = Array(texts["number.digits"] ?? "")
        self.digits = digits.count == 10 ? digits : Array("0123456789")
        group = texts["number.group"] ?? ","
        groupFrom = texts["number.group-from"].flatMap { Int($0) } ?? 4
        decimal = texts["number.decimal"] ?? "."
        minus = texts["number.minus"] ?? "\u{2212}"
        percent = texts["number.percent"] ?? "{n}%"
        units = (texts["number.units"] ?? "").split(separator: "|").compactMap { unit in
            let parts = unit.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let power = Int(parts[0]), (1...36).contains(power) else { return nil }
            return (power, String(parts[1]))
        }
    }

    func text(_ number: some BinaryInteger) -> String { (number < 0 ? minus : "") + grouped(String(number.magnitude)) }

    /// A number for a place of little room: `18,014T` where the whole one has more characters than that. It is cut off,
    /// so it never says more than there is.
    func short(_ number: Int128, charactersMax: Int) -> String {
        let whole = text(number)
        if whole.count <= charactersMax { return whole }
        let digitsCount = String(number.magnitude).utf8.count
        guard let unit = units.last(where: { $0.power < digitsCount }) else { return whole }
        let size = (0..<unit.power).reduce(1 as UInt128) { power, _ in power * 10 }
        let (count, rest) = number.magnitude.quotientAndRemainder(dividingBy: size)
        let tenth = count < 100 ? decimal + plain(rest / (size / 10)) : ""
        return (number < 0 ? minus : "") + grouped(String(count)) + tenth + unit.name
    }

    /// - Parameter tenths: 565 is 56.5.
    func percent(tenths: Int128) -> String {
        let magnitude = tenths.magnitude
        let text = (tenths < 0 ? minus : "") + grouped(String(magnitude / 10)) + decimal + plain(magnitude % 10)
        return Language.fill(percent) { _ in text }
    }

    /// A number of whole percent, cut off.
    func percent(_ number: Int128) -> String { Language.fill(percent) { _ in text(number) } }

    /// Points as their board shows them: without the unit.
    func text(_ points: Int128, _ form: PointsDisplay.Form) -> String {
        switch form {
        case .number: return text(points)
        case .seconds: return (points < 0 ? minus : "") + clock(points.magnitude)
        case .milliseconds:
            let (seconds, milliseconds) = points.magnitude.quotientAndRemainder(dividingBy: 1_000)
            return (points < 0 ? minus : "") + clock(seconds) + decimal + plain(milliseconds, digitsMin: 3)
        }
    }

    /// `1:23`, or `1:02:03` from an hour on.
    private func clock(_ seconds: UInt128) -> String {
        let (minutes, second) = seconds.quotientAndRemainder(dividingBy: 60)
        guard minutes >= 60 else { return plain(minutes) + ":" + plain(second, digitsMin: 2) }
        let (hours, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return grouped(String(hours)) + ":" + plain(minute, digitsMin: 2) + ":" + plain(second, digitsMin: 2)
    }

    /// Without grouping, as years and ranks of a date are written.
    func plain(_ number: some BinaryInteger, digitsMin: Int = 1) -> String {
        let text = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, digitsMin - text.utf8.count))
        return (number < 0 ? minus : "") + translated(zeros + text)
    }

    private func grouped(_ ascii: String) -> String {
        let count = ascii.utf8.count
        guard count >= groupFrom else { return translated(ascii) }
        var text = ""
        for (index, byte) in ascii.utf8.enumerated() {
            if index > 0, (count - index) % 3 == 0 { text += group }
            text.append(digits[Int(byte - UInt8(ascii: "0"))])
        }
        return text
    }

    private func translated(_ ascii: String) -> String {
        String(ascii.utf8.map { digits[Int($0 - UInt8(ascii: "0"))] })
    }
}

/// How much room a column of numbers, or a number on plates, needs. The style sheet has a class for each step.
enum NumberWidth {
    private static let steps: [(max: Int, name: String)] = [(10, "d10"), (14, "d14"), (18, "d18"), (22, "d22")]

    /// The class for the longest of these texts.
    /// - Returns: False when seven characters are enough, which is what columns have anyway.
    static func fill(_ texts: some Sequence<String>) -> Fill {
        let longest = texts.lazy.map(length).max() ?? 0
        if longest <= 7 { return false }
        return .text(steps.first { longest <= $0.max }?.name ?? "d40")
    }

    /// Whether a number has a line of its own where it would be broken nowhere.
    static func isLong(_ text: String) -> Bool { length(text) > 22 }

    /// Characters, of which those of East Asia and emoji take twice the room.
    private static func length(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
    }
}
