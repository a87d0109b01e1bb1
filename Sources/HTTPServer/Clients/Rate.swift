import Domain

/// How often something may be done: so many times in each unit of time, and so many at once after a pause.
package struct Rate: Sendable, Equatable {
    /// The units of time, as settings name them.
    package enum Unit: String, CaseIterable, Sendable {
        case second = "s"
        case minute = "min"
        case hour = "h"
        case day

        package var nanoseconds: UInt64 {
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
    package let interval: UInt64
    /// Nanoseconds in which an empty bucket is full again: the interval times the burst.
    package let fillTime: UInt64

    /// - Returns: Nil unless count and burst are 1 or more, the rate is at most ``Limits/ratePerSecondMax`` a second,
    ///   the burst at most ``Limits/rateBurstMax``, and an empty bucket is full again within ``Limits/rateFillDaysMax``
    ///   days.
    package init?(_ count: Int, per unit: Unit, burst: Int) {
        guard count >= 1, (1...Limits.rateBurstMax).contains(burst) else { return nil }
        // Rounding up a shorter interval would change the rate too much.
        let seconds = unit.nanoseconds / Unit.second.nanoseconds
        guard UInt64(count) <= UInt64(Limits.ratePerSecondMax) * seconds else { return nil }
        let interval = (unit.nanoseconds + UInt64(count) - 1) / UInt64(count)
        let (fillTime, overflow) = interval.multipliedReportingOverflow(by: UInt64(burst))
        guard !overflow, fillTime <= UInt64(Limits.rateFillDaysMax) * Unit.day.nanoseconds else { return nil }
        (self.count, self.unit, self.burst) = (count, unit, burst)
        (self.interval, self.fillTime) = (interval, fillTime)
    }

    /// The nanoseconds in which a number of tokens refill, capped at ``Limits/rateFillDaysMax`` days.
    /// - Parameter factor: Multiple of the rate at which they refill; at least 1.
    package func time(of count: Int, factor: Int = 1) -> UInt64 {
        let most = UInt64(Limits.rateFillDaysMax) * Unit.day.nanoseconds
        let (time, overflow) = interval.multipliedReportingOverflow(by: UInt64(max(0, count)))
        let atOnce = overflow ? most : min(time, most)
        // Rounded up, so that the rate is never exceeded.
        return factor == 1 ? atOnce : (atOnce + UInt64(factor) - 1) / UInt64(factor)
    }

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
