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
        async throws(StoreError)
        -> AdminOutcome
    {
        try await changing { connection throws(PostgresError) in
            try await connection.row(GameSet(slug: slug, name: name, classic: classic, salt: salt))
        }
    }

    package func games() async throws(StoreError) -> [GameListing] {
        try await general { connection throws(PostgresError) in try await connection.rows(GameList()) }
    }

    package func addBoard(_ board: NewBoard, now: Instant) async throws(StoreError) -> AdminOutcome {
        try await changing { connection throws(PostgresError) in
            try await connection.row(BoardAdd(board: board, now: now))
        }
    }

    package func setBoard(_ slug: Slug, in game: Slug, _ change: BoardChange) async throws(StoreError) -> AdminOutcome {
        let (_, outcomes) = try await changing { connection throws(PostgresError) in
            try await connection.transactionPipeline(TalliesLock(), BoardSet(game: game, slug: slug, change: change))
        }
        guard let outcome = outcomes.first else { throw .wrongRowCount }
        return outcome
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

    /// Adds a key to a game. Only the key's hash is stored.
    /// - Returns: The outcome, and the number under which the key is listed if it was added.
    package func addKey(_ key: TokenHash, name: DisplayName, to game: Slug, now: Instant) async throws(StoreError) -> (
        AdminOutcome, id: Int32?
    ) {
        try await changing { connection throws(PostgresError) in
            try await connection.row(KeyAdd(game: game, key: key, name: name, now: now))
        }
    }

    package func keys(of game: Slug) async throws(StoreError) -> [KeyListing] {
        try await general { connection throws(PostgresError) in try await connection.rows(KeyList(game: game)) }
    }

    package func revokeKey(_ id: Int32, of game: Slug, now: Instant) async throws(StoreError) -> AdminOutcome {
        try await changing { connection throws(PostgresError) in
            try await connection.row(KeyRevoke(game: game, id: id, now: now))
        }
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
        try await changing { connection throws(PostgresError) in
            try await connection.row(CharitySet(slug: slug, change: change))
        }
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
    case noGame = "no-game"
    case noBoard = "no-board"
    case noCharity = "no-charity"
    case noKey = "no-key"
    case badZone = "bad-zone"
    case badBounds = "bad-bounds"
    case badTimes = "bad-times"
    case nameTaken = "name-taken"
}
