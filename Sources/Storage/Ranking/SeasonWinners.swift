package import Domain
import Postgres
import Statements

/// `season_winners.sql`
struct SeasonWinners: Query {
    static let sql = SQL.seasonWinners
    let game: Slug
    let board: Slug
    let newest: Int32?
    let seasons: Int32
    let rows: Int32
    var binds: Binds { [game, board, newest, seasons, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> SeasonRow {
        let (number, endedAt): (Int32, Instant) = (try row.next(), try row.next())
        let ties: Board.Ties = try row.next()
        let form: PointsDisplay.Form = try row.next()
        let unit: String? = try row.next()
        let player: Int64? = try row.next()
        let (name, avatar, flag): (String?, AvatarHash?, CountryFlag?) = (
            try row.next(), try row.next(), try row.next()
        )
        let points: Int128? = try row.next()
        let reachedAt: Instant? = try row.next()
        let orderKey: Int128? = try row.next()
        var standing: Standing?
        if let player, let points, let reachedAt, let orderKey {
            standing = Standing(
                row: player, name: name ?? "", avatar: avatar, flag: flag, points: points, reachedAt: reachedAt,
                orderKey: orderKey)
        }
        return SeasonRow(
            number: number, endedAt: endedAt, ties: ties, display: PointsDisplay(form, unit: unit), standing: standing)
    }
}

/// One of the first players of a season that has ended.
struct SeasonRow: Sendable {
    let number: Int32
    let endedAt: Instant
    let ties: Board.Ties
    let display: PointsDisplay
    /// Nil for a season that nobody played.
    let standing: Standing?
}

extension Store {
    /// Who stood first in seasons of a score board that have ended, the newest season first.
    /// - Parameters:
    ///   - newest: The season with which the list begins; nil for the last that has ended.
    ///   - seasonsMax: At least 1. One more is read, to tell whether there are more.
    package func pastSeasons(of board: Slug, in game: Slug, from newest: Int32?, seasonsMax: Int)
        async throws(StoreError) -> (seasons: [PastSeasons.Season], next: Int32?)
    {
        let query = SeasonWinners(
            game: game, board: board, newest: newest, seasons: Int32(clamping: seasonsMax) + 1,
            rows: Int32(PastSeasons.winnersMax) + 1)
        let rows = try await general { connection throws(PostgresError) in try await connection.rows(query) }
        var seasons: [PastSeasons.Season] = []
        for part in rows.chunked(by: \.number) {
            guard let first = part.first else { continue }
            seasons.append(
                PastSeasons.Season(
                    number: first.number, endedAt: first.endedAt, ties: first.ties, display: first.display,
                    rows: part.compactMap(\.standing)))
        }
        let next = seasons.count > seasonsMax ? seasons[seasonsMax].number : nil
        return (Array(seasons.prefix(seasonsMax)), next)
    }
}

extension Array {
    /// The runs of elements with the same key.
    fileprivate func chunked<Key: Equatable>(by key: (Element) -> Key) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices where index + 1 == endIndex || key(self[index + 1]) != key(self[start]) {
            runs.append(self[start...index])
            start = index + 1
        }
        return runs
    }
}
