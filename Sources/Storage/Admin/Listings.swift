package import Domain
package import FoundationEssentials

/// A game as `causeboard game list` shows it.
package struct GameListing: Sendable {
    package let slug: String
    package let name: String
    package let classic: Game.Classic
    package let hasSalt: Bool
    package let names: NameRules
    package let refusedWords: [String]
    /// Whether it keeps the e-mail addresses that players leave.
    package let takesEmail: Bool
    /// It changes whenever a setting does.
    package let version: String
}

/// A key as `causeboard key list` shows it, without the key itself.
package struct KeyListing: Sendable {
    /// Its number in the list.
    package let number: Int32
    package let id: UUID
    /// Nil for an operator's key.
    package let game: String?
    package let name: String
    package let scopes: KeyScopes
    package let addedAt: Instant
    package let expiresAt: Instant?
    package let revokedAt: Instant?
    /// The day on which it was used last, in UTC.
    package let usedOn: Day?
}
