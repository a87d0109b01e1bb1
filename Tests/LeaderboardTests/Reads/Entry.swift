import Domain

/// A recorded post or donation, as a person would write it down.
struct Entry: Sendable {
    /// The slug of a board, or of a charity.
    let board: String
    /// Nil for a donation.
    let season: Int32?
    let player: Player.ID
    /// The row of an anonymous donation.
    var anonymousRow: Int64?
    let points: Int64
    let at: Instant

    /// The id of its row in a ranking.
    var row: Int64 { anonymousRow ?? player.rawValue }

    /// Whether rankings show it while some players are hidden: nobody's hiding hides what was donated anonymously.
    func isShown(hiding hidden: Set<Player.ID>) -> Bool { anonymousRow != nil || !hidden.contains(player) }
}
