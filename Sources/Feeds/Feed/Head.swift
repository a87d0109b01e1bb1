package import Domain

/// What a feed says about itself beside its rows: the envelope of the JSON form, the caption of the page. What is nil
/// is left out.
package struct Head: Sendable {
    /// The board's slug.
    package var board: String?
    /// The window as the caller named it: `all`, `today`, `2026-W47`, ...
    package var window: String?
    /// First moment of the window, inclusive.
    package var from: Instant?
    /// End of the window, exclusive.
    package var until: Instant?
    /// The zone in which the window's days begin, such as `Europe/Berlin`.
    package var zone: String?
    /// True once nothing can change any more.
    package var final: Bool?
    /// `first` or `shared`: what equal points do to ranks.
    package var ties: String?
    /// How many are ranked in all.
    package var of: Int?
    /// Opaque URL-safe cursor of the rows that follow; nil at the end.
    package var next: String?
    /// Opaque URL-safe cursor of the rows before; nil at the beginning.
    package var prev: String?

    package init(
        board: String? = nil,
        window: String? = nil,
        from: Instant? = nil,
        until: Instant? = nil,
        zone: String? = nil,
        final: Bool? = nil,
        ties: String? = nil,
        of: Int? = nil,
        next: String? = nil,
        prev: String? = nil
    ) {
        self.board = board
        self.window = window
        self.from = from
        self.until = until
        self.zone = zone
        self.final = final
        self.ties = ties
        self.of = of
        self.next = next
        self.prev = prev
    }
}
