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

/// A board as `causeboard board list` shows it.
package struct BoardListing: Sendable {
    package let kind: Board.Kind
    package let game: String?
    package let slug: String
    package let season: Int32
    package let name: String
    package let policy: Board.Policy
    package let lowestFirst: Bool
    package let pointsMin: Int64
    package let pointsMax: Int64
    package let zone: String
    package let ties: Board.Ties
    package let earns: String
    package let earnsFixed: Int64?
    package let earnMax: Int64?
    package let earnDay: Int64?
    package let opensAt: Instant?
    package let closesAt: Instant?
    package let display: PointsDisplay
    package let trust: Board.Trust
    package let holds: HoldSettings
    package let details: Board.Details
    package let version: String
}

/// A charity as `causeboard charity list` shows it.
package struct CharityListing: Sendable {
    package let slug: String
    package let name: String
    package let url: String?
    package let description: String?
    package let goal: Int64?
    package let opensAt: Instant?
    package let closesAt: Instant?
    package let zone: String
    /// Minutes in which whoever donated may take it back.
    package let coolingOffMinutes: Int32
    package let caps: CharityCaps
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
