import Crypto
import Domain
package import Logging
package import Postgres
import Statements

/// Brings a made-up world into an empty database: the ledgers by COPY, everything else from them by GROUP BY.
package struct DemoLoader: Sendable {
    private let store: Store

    /// - Parameter store: Its sessions should be ``Sessions/loading``.
    package init(_ store: Store) {
        self.store = store
    }

    /// Makes the games, boards, charities and pictures.
    /// - Throws: ``DemoRefusal``, and nothing is changed then; ``StoreError``.
    package func prepare(_ ground: DemoGround) async throws -> DemoPlaces {
        try await inTransaction(store.generalPool) { connection in try await Self.prepare(ground, on: connection) }
    }

    /// Keeps players, their ledgers and all that follows from these, in one transaction.
    /// - Throws: ``StoreError``.
    package func load(_ rows: DemoRows) async throws {
        guard rows.playersCount > 0 else { return }
        let players = rows.ids
        try await inTransaction(store.intakePool) { connection in
            try await Self.copy(rows.players, DemoCopyPlayers.sql, on: connection)
            try await Self.copy(rows.scores, DemoCopyScores.sql, on: connection)
            try await Self.copy(rows.donations, DemoCopyDonations.sql, on: connection)
            _ = try await connection.pipeline(
                DemoWallets(players: players), DemoTallies(players: players), DemoStandings(players: players),
                DemoGivingTallies(players: players), DemoGivingStandings(players: players))
        }
    }

    /// Tells PostgreSQL's planner what there is now.
    /// - Parameter owner: Of the tables, with ``Sessions/owning``; for anybody else PostgreSQL skips them and does it by itself within minutes.
    package func refreshStatistics(_ owner: ConnectionSettings, logger: Logger) async throws {
        let connection = try await Connection.open(owner, logger: logger)
        defer { connection.close() }
        try await connection.run(StatisticsRefresh())
    }

    private func inTransaction<Value: Sendable>(_ pool: Pool, _ body: (Connection) async throws -> Value) async throws -> Value {
        do {
            return try await pool.withConnection { connection in try await connection.transaction(.readCommitted, body) }
        } catch let error as PostgresError {
            if Task.isCancelled { throw CancellationError() }  // nothing is wrong with the database
            throw store.failure(error)
        }
    }

    private static func prepare(_ ground: DemoGround, on connection: Connection) async throws -> DemoPlaces {
        let found = try await connection.row(DemoGroundCheck())
        if found.isInUse { throw DemoRefusal.inUse }
        guard found.isBoardAsMade else { throw DemoRefusal.boardChanged }
        let now = ground.addedAt
        for game in ground.games {
            let add = GameAdd(slug: game.slug, name: game.name, classic: .off, salt: nil, now: now)
            try await added(connection.row(add), "game \(game.slug)")
        }
        for board in ground.boards { try await added(connection.row(BoardAdd(board: board, now: now)), "board \(board.slug)") }
        for charity in ground.charities {
            let add = CharityAdd(slug: charity.slug, charity: charity.change, zone: charity.zone, now: now)
            try await added(connection.row(add), "charity \(charity.slug)")
        }
        let hashes = ground.pictures.compactMap { AvatarHash(bytes: Array(SHA256.hash(data: $0))) }
        try await connection.run(DemoAvatars(hashes: hashes, pictures: ground.pictures, now: now))
        let boards = try await connection.rows(DemoBoards())
        let charities = try await connection.rows(DemoCharities())
        return DemoPlaces(
            games: Dictionary(boards.map { ($0.gameSlug, $0.game) }) { $1 },
            boards: Dictionary(boards.map { (DemoPlaces.BoardPath(game: $0.gameSlug, board: $0.slug), $0.board) }) { $1 },
            charities: Dictionary(charities.map { ($0.slug, $0.id) }) { $1 }, pictures: hashes)
    }

    private static func added(_ outcome: OperatorOutcome, _ thing: String) throws(DemoRefusal) {
        guard outcome == .added else { throw .taken(thing) }
    }

    private static func copy(_ rows: BinaryRows, _ statement: StaticString, on connection: Connection) async throws {
        guard !rows.isEmpty else { return }
        var file: [UInt8]? = rows.file
        try await connection.copyIn(statement) {
            defer { file = nil }
            return file
        }
    }
}
