package import Domain
import Postgres
import Statements

extension Board: RowDecodable {
    /// Reads the columns of `board_find.sql` and `donation_board_find.sql`.
    init(row: inout RowReader) throws(DecodingFailure) {
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
            display: PointsDisplay(form, unit: unit), details: try row.next(), teams: try row.teamScoring(),
            showsRosters: try row.next(), countries: CountryScoring(best: try row.next()), showsFlags: try row.next(),
            today: try row.next())
    }
}

extension RowReader {
    fileprivate mutating func teamScoring() throws(DecodingFailure) -> TeamScoring {
        guard let scoring = TeamScoring(count: try next()) else {
            throw DecodingFailure(.outOfRange, TeamScoring.self, from: Int32.oid)
        }
        return scoring
    }
}

extension Store {
    /// Games in the order of their slugs, each with the boards that are played now.
    /// - Parameter slug: Nil for all games.
    package func listedGames(_ slug: Slug? = nil) async throws(StoreError) -> [ListedGame] {
        let rows = try await general { connection throws(PostgresError) in
            try await connection.rows(GamesListed(game: slug))
        }
        var games: [ListedGame] = []
        for row in rows {
            var boards: [ListedGame.Board] = []
            if let last = games.last, last.slug == row.game {
                boards = last.boards
                games.removeLast()
            }
            if let board = row.board { boards.append(.init(slug: board, name: row.boardName ?? board.description)) }
            games.append(
                ListedGame(
                    slug: row.game, name: row.gameName, friends: row.friends, teams: row.teams, flags: row.flags,
                    plans: row.plans, challenges: row.challenges, stakeMax: row.stakeMax, boards: boards))
        }
        return games
    }
}
