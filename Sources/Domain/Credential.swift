/// What a v1 caller shows.
package enum Credential: Sendable, Equatable {
    /// A player's own token.
    case player(TokenHash)
    /// A game's key.
    case game(TokenHash)
}
