package import Domain
import Postgres
import Statements

/// `board_find.sql`
struct BoardFind: Query {
    static let sql = SQL.boardFind
    let game: Slug
    let board: Slug
    /// Nil for the current season.
    let season: Int32?
    let now: Instant
    var binds: Binds { [game, board, season, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Board { try Board(reading: &row) }
}

extension Board {
    /// Reads the columns of `board_find.sql` and `donation_board_find.sql`.
    init(reading row: inout RowReader) throws(DecodingFailure) {
        let id: Board.ID = try row.next()
        let kind: Board.Kind = try row.next()
        let slug: String = try row.next()
        let name: String = try row.next()
        let policy: Board.Policy = try row.next()
        let lowestFirst: Bool = try row.next()
        let ties: Board.Ties = try row.next()
        let zone: String = try row.next()
        let opensAt: Instant? = try row.next()
        let closesAt: Instant? = try row.next()
        let endedAt: Instant? = try row.next()
        let low: Int64 = try row.next()
        let high: Int64 = try row.next()
        let form: PointsDisplay.Form = try row.next()
        let unit: String? = try row.next()
        guard low <= high else { throw DecodingFailure(.outOfRange, Board.self, from: Int64.oid) }
        self.init(
            id: id, kind: kind, slug: slug, name: name, policy: policy, lowestFirst: lowestFirst, ties: ties,
            zone: zone, opensAt: opensAt, closesAt: closesAt, endedAt: endedAt, bounds: low...high,
            display: PointsDisplay(form, unit: unit), details: try row.next(), today: try row.next())
    }
}

/// `donation_board_find.sql`
struct DonationBoardFind: Query {
    static let sql = SQL.donationBoardFind
    /// `overall`, or a charity's slug.
    let slug: Slug
    let now: Instant
    var binds: Binds { [slug, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Board { try Board(reading: &row) }
}

/// `board_seasons.sql`
struct BoardSeasons: Query {
    static let sql = SQL.boardSeasons
    let game: Slug
    let board: Slug
    var binds: Binds { [game, board] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (number: Int32, endedAt: Instant?) {
        (try row.next(), try row.next())
    }
}

/// `games_listed.sql`
struct GamesListed: Query {
    static let sql = SQL.gamesListed
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        game: Slug, gameName: String, board: Slug?, boardName: String?
    ) { (try row.next(), try row.next(), try row.next(), try row.next()) }
}

extension Store {
    /// All games in the order of their slugs, each with the boards that are played now.
    package func listedGames() async throws(StoreError) -> [ListedGame] {
        let rows = try await general { connection throws(PostgresError) in try await connection.rows(GamesListed()) }
        var games: [ListedGame] = []
        for row in rows {
            var boards: [ListedGame.Board] = []
            if let last = games.last, last.slug == row.game {
                boards = last.boards
                games.removeLast()
            }
            if let board = row.board { boards.append(.init(slug: board, name: row.boardName ?? board.description)) }
            games.append(ListedGame(slug: row.game, name: row.gameName, boards: boards))
        }
        return games
    }
}
