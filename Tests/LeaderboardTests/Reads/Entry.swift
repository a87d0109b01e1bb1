import Domain

/// A recorded post or donation, as a person would write it down.
struct Entry: Sendable {
    /// The slug of a board, or of a charity.
    let board: String
    /// Nil for a donation.
    let season: Int32?
    let player: Player.ID
    var isAnonymous = false
    let points: Int64
    let at: Instant

    /// The id of its row in a ranking.
    var row: Int64 { isAnonymous ? -player.rawValue : player.rawValue }
}
