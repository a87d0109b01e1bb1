package import Domain

/// Metadata of a feed: the envelope of its JSON and the caption of its page. Values that are nil are left out.
package struct Head: Sendable {
    /// The board's slug.
    package var board: String?
    /// The day in UTC, such as 2026-11-21, at whose end the rows were so.
    package var day: String?
    /// The window as the caller named it: `all`, `today`, `2026-W47`, ...
    package var window: String?
    /// The first instant of the window, inclusive.
    package var from: Instant?
    /// The end of the window, exclusive.
    package var until: Instant?
    /// The time zone in which the window's days begin, such as `Europe/Berlin`.
    package var zone: String?
    /// True once nothing can change any more.
    package var final: Bool?
    /// How equal points are ranked: `first` or `shared`.
    package var ties: String?
    /// The players that the ranking covers, if not all, such as `friends` or `DE`.
    package var among: String?
    /// Number of all ranked rows.
    package var of: Int?
    /// An opaque, URL-safe cursor of the rows that follow; nil at the end.
    package var next: String?
    /// An opaque, URL-safe cursor of the rows before; nil at the beginning.
    package var prev: String?

    package init(
        board: String? = nil, day: String? = nil, window: String? = nil, from: Instant? = nil, until: Instant? = nil,
        zone: String? = nil, final: Bool? = nil, ties: String? = nil, among: String? = nil, of: Int? = nil,
        next: String? = nil, prev: String? = nil
    ) {
        self.board = board
        self.day = day
        self.window = window
        self.from = from
        self.until = until
        self.zone = zone
        self.final = final
        self.ties = ties
        self.among = among
        self.of = of
        self.next = next
        self.prev = prev
    }
}
