/// When a board or a charity takes posts.
package struct OpeningHours: Sendable, Equatable {
    /// Nil when it has always been open.
    package let opensAt: Instant?
    /// Nil when it will never close.
    package let closesAt: Instant?

    package init(opensAt: Instant?, closesAt: Instant?) {
        self.opensAt = opensAt
        self.closesAt = closesAt
    }

    /// The first instant is within, the last is not.
    package func contains(_ instant: Instant) -> Bool {
        opensAt.map { instant >= $0 } ?? true && closesAt.map { instant < $0 } ?? true
    }
}
