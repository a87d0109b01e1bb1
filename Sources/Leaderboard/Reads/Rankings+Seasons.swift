package import Domain
import Storage

extension Rankings {
    /// Who stood first in seasons of a score board that have ended, and for how long that may be shown. A moderation
    /// action may still change them.
    /// - Parameters:
    ///   - newest: The season with which the list begins; nil for the last that has ended.
    ///   - seasonsMax: At least 1.
    /// - Returns: Nil when there is no such board.
    package func pastSeasons(of slug: Slug, in game: Slug, from newest: Int32?, seasonsMax: Int) async throws -> (
        seasons: PastSeasons, validator: CacheValidator?
    )? {
        let before = versions
        guard let board = try await findBoard(.score(game: game, board: slug, season: nil)) else { return nil }
        let (seasons, next) = try await store.pastSeasons(of: slug, in: game, from: newest, seasonsMax: seasonsMax)
        let validator =
            standings.areCurrent
            ? CacheValidator.timed(since: before, until: before.at.advanced(bySeconds: Limits.pastSeasonsShownSeconds))
            : nil
        return (PastSeasons(board: board, newest: newest, seasons: seasons, next: next), validator)
    }
}
