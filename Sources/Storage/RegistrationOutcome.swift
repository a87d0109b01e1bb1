package import Domain

/// What became of a registration. Nothing is stored unless it is `registered` or `known`.
package enum RegistrationOutcome: Sendable {
    /// A device that was not known: its player was made.
    case registered(Player)
    /// A known device: its player, updated if that was asked for.
    case known(Player)
    /// A new player needs a name.
    case nameMissing
    /// The name looks like a charity's.
    case nameRefused
    /// The device does not speak for the player that was named, or there is no such player.
    case wrongDevice
    /// There is no such game.
    case noGame
    /// The token is not the device's, or another one's; or there is no such key.
    case unauthorized
    /// The key is another game's.
    case forbidden
    /// The device has a token, and the classic protocol none.
    case tokenNeeded
}
