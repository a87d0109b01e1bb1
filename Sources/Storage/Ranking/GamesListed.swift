package import Domain
import Postgres
import Statements

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
