package import Domain
import Postgres

/// A team as operators see it.
package struct TeamListing: Sendable {
    package let id: Team.ID
    /// What the game's server calls it; nil for a team that a player made.
    package let external: String?
    package let name: String
    /// The name that waits for approval.
    package let askedName: String?
    package let membersCount: Int64
    package let madeAt: Instant
    package let closedAt: Instant?
    package let isHidden: Bool
}

extension Administration {
    /// The teams of a game by id.
    /// - Parameters:
    ///   - after: The team before the first one; nil begins with the first.
    ///   - limitRows: 1...1,001.
    package func teams(of game: Slug, after: Team.ID?, limitRows: Int32) async throws(StoreError) -> [TeamListing] {
        let list = TeamList(game: game, after: after ?? Team.ID(rawValue: 0), limitRows: limitRows)
        return try await store.general { connection throws(PostgresError) in try await connection.rows(list) }
    }
}
