package import Domain
import Postgres

extension Store {
    package func addGame(_ slug: Slug, name: DisplayName, classic: Game.Classic, salt: String?, now: Instant)
        async throws(StoreError)
        -> AdminOutcome
    {
        try await changing { connection throws(PostgresError) in
            try await connection.row(GameAdd(slug: slug, name: name, classic: classic, salt: salt, now: now))
        }
    }

    package func setGame(_ slug: Slug, name: DisplayName?, classic: Game.Classic?, salt: Patch<String>)
        async throws(StoreError) -> AdminOutcome
    {
        try await setGame(slug, name: name, classic: classic, salt: salt, at: nil).outcome
    }

    /// Changes a game.
    /// - Parameter version: The version that its settings must have; nil for any.
    /// - Returns: The outcome, and the game as it is now.
    package func setGame(
        _ slug: Slug,
        name: DisplayName?,
        classic: Game.Classic?,
        salt: Patch<String>,
        at version: String?
    ) async throws(StoreError) -> (outcome: AdminOutcome, now: GameListing?) {
        let (_, outcomes, games) = try await changing { connection throws(PostgresError) in
            try await connection.transactionPipeline(
                GameLock(slug: slug),
                GameSet(slug: slug, name: name, classic: classic, salt: salt, version: version),
                GameList(slug: slug)
            )
        }
        guard let outcome = outcomes.first else { throw .wrongRowCount }
        return (outcome, games.first)
    }

    package func games() async throws(StoreError) -> [GameListing] {
        try await general { connection throws(PostgresError) in try await connection.rows(GameList()) }
    }

    package func findGame(_ slug: Slug) async throws(StoreError) -> GameListing? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(GameList(slug: slug)) }
    }

    package func addBoard(_ board: NewBoard, now: Instant) async throws(StoreError) -> AdminOutcome {
        try await changing { connection throws(PostgresError) in
            try await connection.row(BoardAdd(board: board, now: now))
        }
    }

    package func setBoard(_ slug: Slug, in game: Slug, _ change: BoardChange) async throws(StoreError) -> AdminOutcome {
        try await setBoard(slug, in: game, change, at: nil).outcome
    }

    /// Changes a score board.
    /// - Parameter version: The version that its settings must have; nil for any.
    /// - Returns: The outcome, and the board as it is now.
    package func setBoard(_ slug: Slug, in game: Slug, _ change: BoardChange, at version: String?)
        async throws(StoreError) -> (outcome: AdminOutcome, now: BoardListing?)
    {
        // The lock also makes one of two changes wait for the other.
        let (_, outcomes, boards) = try await changing { connection throws(PostgresError) in
            try await connection.transactionPipeline(
                TalliesLock(),
                BoardSet(game: game, slug: slug, change: change, version: version),
                BoardList(game: game, board: slug)
            )
        }
        guard let outcome = outcomes.first else { throw .wrongRowCount }
        return (outcome, boards.first)
    }

    package func findBoardListing(_ slug: Slug, in game: Slug) async throws(StoreError) -> BoardListing? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(BoardList(game: game, board: slug))
        }
    }

    /// Ends a board's current season and begins the next one.
    /// - Returns: The outcome, and the number of the new season if it has begun.
    package func resetBoard(_ slug: Slug, in game: Slug, now: Instant) async throws(StoreError) -> (
        AdminOutcome, season: Int32?
    ) {
        let (_, outcomes) = try await changing { connection throws(PostgresError) in
            try await connection.transactionPipeline(TalliesLock(), BoardReset(game: game, slug: slug, now: now))
        }
        guard let outcome = outcomes.first else { throw .wrongRowCount }
        return outcome
    }

    /// Lists boards, giving boards included.
    /// - Parameter game: Nil lists all boards.
    package func boards(of game: Slug?) async throws(StoreError) -> [BoardListing] {
        try await general { connection throws(PostgresError) in try await connection.rows(BoardList(game: game)) }
    }

    /// Adds a charity and the giving board of its donors.
    /// - Parameter change: The charity's settings. Without a name it is named by its slug; `.keep` means the same as
    ///   `.clear`.
    package func addCharity(_ slug: Slug, _ change: CharityChange, zone: String, now: Instant) async throws(StoreError)
        -> AdminOutcome
    {
        try await changing { connection throws(PostgresError) in
            try await connection.row(CharityAdd(slug: slug, charity: change, zone: zone, now: now))
        }
    }

    package func setCharity(_ slug: Slug, _ change: CharityChange) async throws(StoreError) -> AdminOutcome {
        try await setCharity(slug, change, at: nil).outcome
    }

    /// Changes a charity.
    /// - Parameter version: The version that its settings must have; nil for any.
    /// - Returns: The outcome, and the charity as it is now.
    package func setCharity(_ slug: Slug, _ change: CharityChange, at version: String?)
        async throws(StoreError) -> (outcome: AdminOutcome, now: CharityListing?)
    {
        let (_, outcomes, charities) = try await changing { connection throws(PostgresError) in
            try await connection.transactionPipeline(
                CharityLock(slug: slug),
                CharitySet(slug: slug, change: change, version: version),
                CharityList(slug: slug)
            )
        }
        guard let outcome = outcomes.first else { throw .wrongRowCount }
        return (outcome, charities.first)
    }

    package func findCharityListing(_ slug: Slug) async throws(StoreError) -> CharityListing? {
        try await general { connection throws(PostgresError) in try await connection.firstRow(CharityList(slug: slug)) }
    }

    package func closeCharity(_ slug: Slug, now: Instant) async throws(StoreError) -> AdminOutcome {
        try await changing { connection throws(PostgresError) in
            try await connection.row(CharityClose(slug: slug, now: now))
        }
    }

    package func charityListings() async throws(StoreError) -> [CharityListing] {
        try await general { connection throws(PostgresError) in try await connection.rows(CharityList()) }
    }

    /// Passes every player who asked for updates to `body`, ordered by the time of asking.
    /// - Throws: What `body` throws, and ``StoreError``.
    package func forEachSubscriber(_ body: (Subscriber) throws -> Void) async throws {
        do {
            try await generalPool.withConnection { connection in
                try await connection.forEach(Subscribers()) { subscriber in try body(subscriber) }
            }
        } catch let error as PostgresError {
            throw failure(error)
        }
    }
}

/// The outcome of an admin command.
package enum AdminOutcome: String, Sendable {
    case added, set, exists, fixed, classic, closed
    /// The settings have changed since the version that a change was made from.
    case stale
    case noGame = "no-game"
    case noBoard = "no-board"
    case noCharity = "no-charity"
    case noKey = "no-key"
    case badZone = "bad-zone"
    case badBounds = "bad-bounds"
    case badTimes = "bad-times"
    case nameTaken = "name-taken"
    case tokenTaken = "token-taken"
    case badExpiry = "bad-expiry"
}
