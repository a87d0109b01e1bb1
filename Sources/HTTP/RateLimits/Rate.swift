import Domain

/// How often something may be done: so many times in each unit of time, and so many at once after a pause.
package struct Rate: Sendable, Equatable {
    /// The units of time, as settings name them.
    package enum Unit: String, CaseIterable, Sendable {
        case second = "s"
        case minute = "min"
        case hour = "h"
        case day

        var nanoseconds: UInt64 {
            switch self {
            case .second: 1_000_000_000
            case .minute: 60_000_000_000
            case .hour: 3_600_000_000_000
            case .day: 86_400_000_000_000
            }
        }
    }

    package let count: Int
    package let unit: Unit
    package let burst: Int
    /// Nanoseconds in which one more comes. They are rounded up, so that the rate is never exceeded.
    let interval: UInt64
    /// Nanoseconds in which an empty bucket is full again: the interval times the burst.
    let fillTime: UInt64

    /// - Returns: Nil unless count and burst are 1 to ``Limits/rateCountMax``, and an empty bucket is full again within
    ///   ``Limits/rateFillDaysMax`` days.
    package init?(_ count: Int, per unit: Unit, burst: Int) {
        let range = 1...Limits.rateCountMax
        guard range.contains(count), range.contains(burst) else { return nil }
        let interval = (unit.nanoseconds + UInt64(count) - 1) / UInt64(count)
        let (fillTime, overflow) = interval.multipliedReportingOverflow(by: UInt64(burst))
        guard !overflow, fillTime <= UInt64(Limits.rateFillDaysMax) * Unit.day.nanoseconds else { return nil }
        (self.count, self.unit, self.burst) = (count, unit, burst)
        (self.interval, self.fillTime) = (interval, fillTime)
    }

    /// Nanoseconds in which one more comes at a multiple of the rate, rounded up.
    /// - Parameter factor: At least 1.
    func interval(factor: Int) -> UInt64 { factor == 1 ? interval : (interval + UInt64(factor) - 1) / UInt64(factor) }

    /// Reads a rate such as `60/min:200`. Without a burst, it is the count: `5/h` is `5/h:5`.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 32 else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let rate = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, rate.count == 2, let count = Int(rate[0]), let unit = Unit(rawValue: String(rate[1])),
            let burst = parts.count == 1 ? count : Int(parts[1])
        else { return nil }
        self.init(count, per: unit, burst: burst)
    }
}

extension Rate: CustomStringConvertible {
    /// The text that a setting has.
    package var description: String { "\(count)/\(unit.rawValue):\(burst)" }
}
