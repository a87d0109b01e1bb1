import Domain

/// When people play: in the evening of their time zone, more at weekends, and more from day to day as the game becomes
/// known.
struct PlayTimes: Sendable {
    /// Length of the data's history in days.
    static let days = 60

    let end: Instant
    let start: Instant
    private let firstDay: Day
    private let daySums: [Int]

    init(until end: Instant) {
        self.end = end
        start = end.advanced(bySeconds: -Int64(Self.days) * secondsPerDay)
        let days = end.microsecondsSince1970 / (secondsPerDay * microsecondsPerSecond)
        firstDay = Day(daysSince1970: Int32(clamping: days)).advanced(byDays: -Int32(Self.days))
        let weights = (0...Self.days).map { [firstDay] index in
            let weight = 100 + index  // play grows by 60 % over the sixty days
            return switch firstDay.advanced(byDays: Int32(index)).isoWeekday {
            case 6, 7: weight * 17 / 10
            case 5: weight * 13 / 10
            default: weight
            }
        }
        daySums = weights.runningSums
    }

    /// A random instant in `start..<end`.
    func moment(offsetMinutes: Int, _ chance: inout Chance) -> Instant {
        for _ in 0..<8 {
            let day = Int64(firstDay.daysSince1970) + Int64(chance.place(in: daySums))
            let second = day * secondsPerDay + Int64(chance.place(in: Self.hourSums) * 3_600 - offsetMinutes * 60)
            let moment = Instant(
                microsecondsSince1970: second * microsecondsPerSecond + chance.below(3_600 * microsecondsPerSecond))
            if moment >= start, moment < end { return moment }
        }
        let length = Int64(Self.days) * secondsPerDay * microsecondsPerSecond
        return Instant(microsecondsSince1970: end.microsecondsSince1970 - 1 - chance.below(length))
    }

    private static let hourSums = [
        6, 3, 2, 1, 1, 2, 5, 10, 12, 10, 10, 11, 16, 14, 12, 14, 18, 24, 32, 42, 48, 44, 30, 15,
    ].runningSums
}

let secondsPerDay: Int64 = 86_400
let microsecondsPerSecond: Int64 = 1_000_000
