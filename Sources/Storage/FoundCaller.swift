package import Domain

/// Whom a caller speaks for.
package enum FoundCaller: Sendable {
    case known(Player.ID)
    case unauthorized, forbidden, noPlayer
}
