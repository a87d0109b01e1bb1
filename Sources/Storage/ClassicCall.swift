package import Domain

/// What must be known of a classic call before anything is done.
package struct ClassicCall: Sendable {
    package let game: Game
    /// Whom the device speaks for; nil when it is not known, or the call names none.
    package let player: Player.ID?
    /// The name that the call brings looks like a charity's.
    package let isNameRefused: Bool
}
