package import Domain
import Postgres

/// A season of a score board that is to end by itself.
package struct DueSeason: Sendable {
    package let board: Board.ID
    package let game: Slug
    package let slug: Slug
    package let season: Int32

    init(board: Board.ID, game: Slug, slug: Slug, season: Int32) {
        (self.board, self.game, self.slug, self.season) = (board, game, slug, season)
    }
}

extension Administration {
    /// The boards whose next season is to begin by itself.
    package func dueSeasons(_ now: Instant) async throws(StoreError) -> [DueSeason] {
        try await store.general { connection throws(PostgresError) in try await connection.rows(SeasonsDue(now: now)) }
    }
}
