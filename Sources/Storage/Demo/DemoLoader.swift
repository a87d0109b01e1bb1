import Crypto
package import Domain
package import Logging
package import Postgres
import Statements

/// Loads sample data into an empty database: players by COPY, scores and donations with the days on which they
/// counted, wallets and rollups from these by GROUP BY.
package struct DemoLoader: Sendable {
    let store: Store

    /// - Parameter store: Its sessions should be ``SessionPresets/loading``.
    package init(_ store: Store) { self.store = store }

    /// How many transactions may load players at once during ``withBooksOpen(_:)``, so that none of them waits for a
    /// connection. If both pools of the store are one, the open books keep one of its connections.
    package var lanesMax: Int {
        max(1, store.ledgerPool.limits.connectionsMax - (store.ledgerPool === store.generalPool ? 1 : 0))
    }

    /// Makes the games, boards, charities and pictures.
    /// - Throws: ``DemoError``, and nothing is changed then; ``StoreError``; `CancellationError` in a cancelled task.
    package func prepare(_ fixtures: DemoFixtures) async throws -> DemoIDs {
        try await inTransaction(store.generalPool) { connection in try await Self.prepare(fixtures, on: connection) }
    }

    /// Does something during which no server closes a day of the books, so that none is closed of half the data.
    package func withBooksOpen<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await inTransaction(store.generalPool) { connection in
            _ = try await connection.row(DemoHoldBooks())
            return try await body()
        }
    }

    /// Stores players, their ledger rows and all that follows from these, in one transaction.
    /// - Throws: ``StoreError``; `CancellationError` in a cancelled task.
    package func load(_ rows: DemoRows) async throws {
        guard rows.playersCount > 0 else { return }
        let players = rows.ids
        try await inTransaction(store.ledgerPool) { connection in
            try await Self.copy(rows.players, DemoCopyPlayers.sql, on: connection)
            try await connection.run(DemoScores(rows: rows.scores))
            try await Self.copy(rows.notes, DemoCopyScoreNotes.sql, on: connection)
            _ = try await connection.pipeline(
                DemoDonations(rows: rows.donations), DemoWallets(players: players), DemoTallies(players: players),
                DemoStandings(players: players), DemoCharityTotals(players: players))
        }
    }

    /// Stores ties in one transaction, and forgets them.
    /// - Parameter end: When the data ends; each tie begins between the day when both players are there and then.
    /// - Throws: ``StoreError``; `CancellationError` in a cancelled task.
    package func load(_ ties: inout DemoTieRows, until end: Instant) async throws {
        guard !ties.isEmpty else { return }
        let statement = DemoTies(
            players: ties.players, others: ties.others, says: ties.says, parts: ties.begun, end: end)
        _ = try await inTransaction(store.ledgerPool) { connection in try await connection.run(statement) }
        ties = DemoTieRows()
    }

    /// Stores teams with their members in one transaction, and forgets them.
    /// - Parameter end: When the data ends. A team is made between the day when its maker is there and then, and who
    ///   joins it does so between the day when both are there and then.
    /// - Throws: ``StoreError``; `CancellationError` in a cancelled task.
    package func load(_ teams: inout DemoTeamRows, until end: Instant) async throws {
        guard !teams.isEmpty else { return }
        let (made, members) = (teams.teams, teams.members)
        _ = try await inTransaction(store.ledgerPool) { connection in
            try await connection.pipeline(
                DemoTeams(
                    ids: made.ids, games: made.games, externals: made.externals, names: made.names, makers: made.makers,
                    parts: made.parts, end: end),
                DemoMembers(
                    players: members.players, teams: members.teams, captains: members.areCaptains,
                    formers: members.formers, joined: members.joined, stayed: members.stayed, end: end),
                DemoTeamsClose(teams: made.ids, end: end))
        }
        teams = DemoTeamRows()
    }

    /// Refreshes the statistics of PostgreSQL's planner.
    /// - Parameter owner: The login of the tables' owner, with ``SessionPresets/owning``. For another login PostgreSQL
    ///   skips the tables, and autovacuum analyzes them within minutes.
    package func refreshStatistics(_ owner: ConnectionSettings, logger: Logger) async throws {
        let connection = try await Connection.open(owner, logger: logger)
        defer { connection.close() }
        try await connection.run(StatisticsRefresh())
    }

    /// Runs `body` in a transaction that loads rows.
    func inTransaction<Value: Sendable>(_ body: (Connection) async throws -> Value) async throws -> Value {
        try await inTransaction(store.ledgerPool, body)
    }

    private func inTransaction<Value: Sendable>(_ pool: Pool, _ body: (Connection) async throws -> Value) async throws
        -> Value
    {
        do {
            return try await pool.withConnection { connection in try await connection.transaction(.readCommitted, body)
            }
        } catch let error as PostgresError {
            if Task.isCancelled { throw CancellationError() }  // the error only reports the cancellation
            throw store.failure(error)
        }
    }

    private static func prepare(_ fixtures: DemoFixtures, on connection: Connection) async throws -> DemoIDs {
        let found = try await connection.row(DemoPrecheck())
        if found.isInUse { throw DemoError.inUse }
        guard found.isBoardAsMade else { throw DemoError.boardChanged }
        let now = fixtures.addedAt
        for game in fixtures.games {
            if game.slug == .defaultGame {
                let outcome = try await connection.row(GameSet(game.slug, game.settings))
                guard outcome == .set else { throw StoreError.wrongRowCount }
                continue
            }
            try await added(connection.row(GameAdd(game.slug, game.settings, now: now)), "game \(game.slug)")
        }
        for board in fixtures.boards {
            if board.game == .defaultGame {
                var change = BoardChange()
                (change.teams, change.countries) = (board.settings.teams, board.settings.countries)
                let (columns, values) = change.stored
                let set = BoardSet(
                    game: board.game, slug: board.slug, columns: columns, values: values, version: nil, now: now)
                guard try await connection.row(set) == .set else { throw StoreError.wrongRowCount }
                continue
            }
            try await added(
                connection.row(BoardAdd(board.slug, in: board.game, board.settings, now: now)), "board \(board.slug)")
        }
        for charity in fixtures.charities {
            let add = CharityAdd(charity.slug, charity.change, now: now)
            try await added(connection.row(add), "charity \(charity.slug)")
        }
        for campaign in fixtures.campaigns {
            guard try await connection.row(CampaignAdd(campaign, now: now)) == .added else {
                throw DemoError.taken("campaign \(campaign.slug)")
            }
        }
        for award in fixtures.awards {
            let add = AwardAdd(award.slug, award.award, in: award.game, now: now)
            try await added(connection.row(add), "award \(award.slug)")
        }
        let hashes = fixtures.pictures.compactMap { AvatarHash(bytes: Array(SHA256.hash(data: $0))) }
        try await connection.run(DemoAvatars(hashes: hashes, pictures: fixtures.pictures, now: now))
        let boards = try await connection.rows(DemoBoards())
        let charities = try await connection.rows(DemoCharities())
        return DemoIDs(
            games: Dictionary(boards.map { ($0.gameSlug, $0.game) }) { $1 },
            boards: Dictionary(boards.map { (DemoIDs.BoardPath(game: $0.gameSlug, board: $0.slug), $0.board) }) { $1 },
            charities: Dictionary(charities.map { ($0.slug, $0.id) }) { $1 }, pictures: hashes)
    }

    private static func added(_ outcome: AdminOutcome, _ thing: String) throws(DemoError) {
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

/// Why a database is not filled with a demo. Nothing has been changed then.
package enum DemoError: Error, Equatable, CustomStringConvertible {
    /// The database has players, wallets or ledger rows already.
    case inUse
    /// The board `high-scores` is not as the schema made it.
    case boardChanged
    /// A game, board or charity of the demo's exists already, such as "game kestrel-run".
    case taken(String)

    package var description: String {
        switch self {
        case .inUse:
            """
            The database has players already, and a demo must not mix with them. \
            Name a directory that is not there yet with --data.
            """
        case .boardChanged:
            """
            The board high-scores has been reset or has other settings than at first. \
            Name a directory that is not there yet with --data.
            """
        case .taken(let thing):
            """
            There is a \(thing) already, or one that is called the same. \
            Name a directory that is not there yet with --data.
            """
        }
    }
}
