/// What had been earned and donated by the end of a day in UTC, in all. A day's books never change.
package struct DayBooks: Sendable, Equatable {
    /// A charity with what it had received in funded points, or a game with what had been earned in it.
    package struct Account: Sendable, Equatable {
        package let slug: String
        /// The name of now.
        package let name: String
        package let points: Int128

        package init(slug: String, name: String, points: Int128) {
            self.slug = slug
            self.name = name
            self.points = points
        }
    }

    package let day: Day
    package let earned: Int128
    package let voided: Int128
    package let held: Int128
    /// Without donations that were reversed.
    package let donated: Int128
    package let unfunded: Int128
    /// The number of the log's last entry; 0 when there was none.
    package let logNumber: Int64
    /// The hash of that entry; zeros when there was none.
    package let logHash: [UInt8]
    /// Those that had received something, in the order of their slugs. Their points make ``funded``.
    package var charities: [Account] = []
    /// Those in which something had been posted, in the order of their slugs. Their points make ``earned``.
    package var games: [Account] = []

    package init(
        day: Day, earned: Int128, voided: Int128, held: Int128, donated: Int128, unfunded: Int128, logNumber: Int64,
        logHash: [UInt8]
    ) {
        self.day = day
        self.earned = earned
        self.voided = voided
        self.held = held
        self.donated = donated
        self.unfunded = unfunded
        self.logNumber = logNumber
        self.logHash = logHash
    }

    /// `given = funded + unfunded`
    package var funded: Int128 { donated - unfunded }
    /// `earned = voided + held + left + funded`
    package var left: Int128 { earned - voided - held - funded }
}
