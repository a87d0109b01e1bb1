/// How much may be donated to a charity; nil is no cap.
package struct CharityCaps: Sendable, Hashable {
    /// Points on one day of the charity's board, 1 or more.
    package let day: Int64?
    /// Points in all, 1 or more.
    package let all: Int64?

    package init(day: Int64?, all: Int64?) {
        self.day = day
        self.all = all
    }

    package var isEmpty: Bool { day == nil && all == nil }
}

/// What was donated to charities that have a cap, less what was reversed, while donations to them are judged one after
/// the other.
package struct CappedDonations: Sendable {
    /// One day of one charity.
    package struct Entry: Sendable {
        package let charity: Int32
        package let day: Day
        package let donatedOnDay: Int128
        package let donatedInAll: Int128
        /// When the next day begins.
        package let nextDay: Instant

        package init(charity: Int32, day: Day, donatedOnDay: Int128, donatedInAll: Int128, nextDay: Instant) {
            self.charity = charity
            self.day = day
            self.donatedOnDay = donatedOnDay
            self.donatedInAll = donatedInAll
            self.nextDay = nextDay
        }
    }

    private struct CharityDay: Hashable {
        let charity: Int32
        let day: Day
    }

    private var onDays: [CharityDay: Int128] = [:]
    private var inAll: [Int32: Int128] = [:]
    private var nextDays: [CharityDay: Instant] = [:]

    package init(_ entries: [Entry]) {
        for entry in entries {
            let charityDay = CharityDay(charity: entry.charity, day: entry.day)
            onDays[charityDay] = entry.donatedOnDay
            inAll[entry.charity] = entry.donatedInAll
            nextDays[charityDay] = entry.nextDay
        }
    }

    /// Adds a donation, unless it is beyond a cap.
    /// - Returns: Nil when it was added.
    package mutating func add(_ points: Int64, to charity: CharityContext) -> CapReached? {
        let charityDay = CharityDay(charity: charity.id, day: charity.day)
        let (onDay, all) = (onDays[charityDay] ?? 0, inAll[charity.id] ?? 0)
        let roomOnDay = charity.caps.day.map { max(0, Int128($0) - onDay) } ?? Int128(Int64.max)
        let roomInAll = charity.caps.all.map { max(0, Int128($0) - all) } ?? Int128(Int64.max)
        guard Int128(points) <= min(roomOnDay, roomInAll) else {
            let fitsLater = Int128(points) <= roomInAll && points <= charity.caps.day ?? .max
            return CapReached(
                room: Int64(clamping: min(roomOnDay, roomInAll)), againAt: fitsLater ? nextDays[charityDay] : nil)
        }
        onDays[charityDay] = onDay + Int128(points)
        inAll[charity.id] = all + Int128(points)
        return nil
    }
}

/// A donation that is more than its charity may still receive.
package struct CapReached: Sendable, Equatable {
    /// Points that may still be donated now.
    package let room: Int64
    /// When as many points may be donated again; nil when they never may.
    package let againAt: Instant?

    package init(room: Int64, againAt: Instant?) {
        self.room = room
        self.againAt = againAt
    }
}
