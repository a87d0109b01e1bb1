package import Domain
import Postgres

/// What operators read and change: settings, keys, moderation actions and the audit log. The command line, the admin
/// API and the console call it.
package struct Administration: Sendable { let store: Store }

extension Store { package var admin: Administration { Administration(store: self) } }

extension Administration {
    /// Adds a game.
    /// - Parameters:
    ///   - settings: What ``GameChange/checked(for:removesAddresses:)`` returns, with a name.
    ///   - removesAddresses: What the caller requested, for the log. A new game has no addresses.
    ///   - actor: Who does it, for the log, as in all changes here: a key's id, or `cli`.
    package func addGame(
        _ slug: Slug, _ settings: GameChange, removesAddresses: Bool = false, by actor: String = "cli", now: Instant
    ) async throws(StoreError) -> AdminOutcome {
        let set = settings.withStandards()
        let values = set.values + (removesAddresses ? [Self.removal] : [])
        return try await changing(logging: .game(.put, slug, values), by: actor, now: now) {
            connection throws(PostgresError) in (try await connection.row(GameAdd(slug, set, now: now)), ())
        }.outcome
    }

    package func setGame(_ slug: Slug, _ change: GameChange, removesAddresses: Bool = false, now: Instant)
        async throws(StoreError) -> AdminOutcome
    { try await setGame(slug, change, removesAddresses: removesAddresses, at: nil, now: now).outcome }

    /// Changes a game.
    /// - Parameters:
    ///   - removesAddresses: Whether to remove the stored e-mail addresses, and with them `send_updates`.
    ///   - version: The version that its settings must have; nil for any.
    ///   - now: When it is changed, for the log, which also says how many addresses were there if they are removed.
    /// - Returns: The outcome, and the game as it is now.
    package func setGame(
        _ slug: Slug, _ change: GameChange, removesAddresses: Bool = false, at version: String?,
        by actor: String = "cli", now: Instant
    ) async throws(StoreError) -> (outcome: AdminOutcome, now: GameListing?) {
        let set = GameSet(slug, change, at: version)
        var values = change.values
        if removesAddresses {
            values.append(Self.removal)
            values += try await storedAddresses(of: slug).values
        }
        let changed = try await changing(logging: .game(.patch, slug, values), by: actor, now: now) {
            connection throws(PostgresError) in
            _ = try await connection.rows(GameLock(slug: slug))
            let outcome = try await connection.row(set)
            return (outcome, try await connection.firstRow(GameList(slug: slug)))
        }
        if removesAddresses, changed.outcome == .set { try await removeAddresses(of: slug) }
        return changed
    }

    private static let removal = ("remove_addresses", SettingValue.plain("true"))

    package func games() async throws(StoreError) -> [GameListing] {
        try await store.general { connection throws(PostgresError) in try await connection.rows(GameList()) }
    }

    package func findGame(_ slug: Slug) async throws(StoreError) -> GameListing? {
        try await store.general { connection throws(PostgresError) in
            try await connection.firstRow(GameList(slug: slug))
        }
    }

    /// Adds a score board.
    /// - Parameter settings: Those that ``BoardChange/completed(for:)`` returns.
    package func addBoard(_ slug: Slug, in game: Slug, _ settings: BoardChange, by actor: String = "cli", now: Instant)
        async throws(StoreError) -> AdminOutcome
    {
        let entry = ChangeEntry.board(.put, slug, in: game, settings.values)
        return try await changing(logging: entry, by: actor, now: now) { connection throws(PostgresError) in
            (try await connection.row(BoardAdd(slug, in: game, settings, now: now)), ())
        }.outcome
    }

    package func setBoard(_ slug: Slug, in game: Slug, _ change: BoardChange, now: Instant) async throws(StoreError)
        -> AdminOutcome
    { try await setBoard(slug, in: game, change, at: nil, now: now).outcome }

    /// Changes a score board.
    /// - Parameters:
    ///   - version: The version that its settings must have; nil for any.
    ///   - now: When it is changed, for the log.
    /// - Returns: The outcome, and the board as it is now.
    package func setBoard(
        _ slug: Slug, in game: Slug, _ change: BoardChange, at version: String?, by actor: String = "cli", now: Instant
    ) async throws(StoreError) -> (outcome: AdminOutcome, now: BoardListing?) {
        let entry = ChangeEntry.board(.patch, slug, in: game, change.values)
        return try await changing(logging: entry, by: actor, now: now) { connection throws(PostgresError) in
            // The lock also makes one of two changes wait for the other.
            try await connection.lockTallies()
            let (columns, values) = change.stored
            let set = BoardSet(game: game, slug: slug, columns: columns, values: values, version: version, now: now)
            let outcome = try await connection.row(set)
            if outcome == .set, change.needsMeasure {
                _ = try await connection.row(BoardsMeasure(game: game, board: slug, before: now, now: now))
            }
            return (outcome, try await connection.firstRow(BoardList(game: game, board: slug)))
        }
    }

    package func findBoardListing(_ slug: Slug, in game: Slug) async throws(StoreError) -> BoardListing? {
        try await store.general { connection throws(PostgresError) in
            try await connection.firstRow(BoardList(game: game, board: slug))
        }
    }

    /// Lists boards, donation boards included.
    /// - Parameter game: Nil lists all boards.
    package func boards(of game: Slug?) async throws(StoreError) -> [BoardListing] {
        try await store.general { connection throws(PostgresError) in try await connection.rows(BoardList(game: game)) }
    }

    /// Adds a charity and the donation board of its donors.
    /// - Parameter change: The charity's settings. Without a name it is named by its slug; `.keep` means the same as
    ///   `.clear`.
    package func addCharity(_ slug: Slug, _ change: CharityChange, by actor: String = "cli", now: Instant)
        async throws(StoreError) -> AdminOutcome
    {
        var set = change.withStandards()
        set.name = set.name ?? DisplayName(slug.description)
        let entry = ChangeEntry.charity(.put, slug, set.values)
        return try await changing(logging: entry, by: actor, now: now) { connection throws(PostgresError) in
            (try await connection.row(CharityAdd(slug, set, now: now)), ())
        }.outcome
    }

    package func setCharity(_ slug: Slug, _ change: CharityChange, now: Instant) async throws(StoreError)
        -> AdminOutcome
    { try await setCharity(slug, change, at: nil, now: now).outcome }

    /// Changes a charity.
    /// - Parameters:
    ///   - version: The version that its settings must have; nil for any.
    ///   - now: When it is changed, for the log.
    /// - Returns: The outcome, and the charity as it is now.
    package func setCharity(
        _ slug: Slug, _ change: CharityChange, at version: String?, by actor: String = "cli", now: Instant
    ) async throws(StoreError) -> (outcome: AdminOutcome, now: CharityListing?) {
        let entry = ChangeEntry.charity(.patch, slug, change.values)
        return try await changing(logging: entry, by: actor, now: now) { connection throws(PostgresError) in
            // What was donated before is added up while nobody donates.
            if change.changesCaps { try await connection.lockTallies() }
            _ = try await connection.rows(CharityLock(slug: slug))
            let (columns, values) = change.stored
            let set = CharitySet(slug: slug, columns: columns, values: values, version: version)
            let outcome = try await connection.row(set)
            if change.changesCaps { _ = try await connection.row(RepairCaps(charity: slug)) }
            return (outcome, try await connection.firstRow(CharityList(slug: slug)))
        }
    }

    package func findCharityListing(_ slug: Slug) async throws(StoreError) -> CharityListing? {
        try await store.general { connection throws(PostgresError) in
            try await connection.firstRow(CharityList(slug: slug))
        }
    }

    package func closeCharity(_ slug: Slug, now: Instant) async throws(StoreError) -> AdminOutcome {
        var set = CharityChange()
        set.closesAt = .set(now)
        return try await changing(logging: .charity(.patch, slug, set.values), by: "cli", now: now) {
            connection throws(PostgresError) in (try await connection.row(CharityClose(slug: slug, now: now)), ())
        }.outcome
    }

    package func charityListings() async throws(StoreError) -> [CharityListing] {
        try await store.general { connection throws(PostgresError) in try await connection.rows(CharityList()) }
    }

    /// Passes every player who asked for updates to `body`, ordered by the time of asking.
    /// - Throws: What `body` throws, and ``StoreError``.
    package func forEachSubscriber(_ body: (Subscriber) throws -> Void) async throws {
        do {
            try await store.generalPool.withConnection { connection in
                try await connection.forEach(Subscribers()) { subscriber in try body(subscriber) }
            }
        } catch let error as PostgresError { throw store.failure(error) }
    }
}

extension Connection {
    /// Waits for running posts, and blocks new ones until the transaction ends. Since posts wait behind it, it gives up
    /// (55P03) while a long moderation action is running.
    func lockTallies() async throws(PostgresError) {
        _ = try await row(LockPatience())
        try await run(TalliesLock())
    }
}

extension DisplayName {
    /// The default name, made from the slug.
    package static func standard(for slug: Slug) throws(FieldError) -> DisplayName {
        guard let name = DisplayName(slug.description) else {
            throw FieldError("name", "name is missing, and the slug shows nothing. Give one.")
        }
        return name
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
    case noProvider = "no-provider"
    case noAward = "no-award"
    /// The board of an award is none of its game's.
    case noAwardBoard = "no-award-board"
    /// There is no campaign of an award that is over donations, or over a board of its game.
    case noAwardContest = "no-award-contest"
    /// Somebody has the award, so its condition is fixed.
    case awardFixed = "award-fixed"
    /// The game has reached its limit of awards.
    case awardsFull = "awards-full"
    /// The game has reached its limit of providers.
    case full
    case badZone = "bad-zone"
    case badBounds = "bad-bounds"
    case badTimes = "bad-times"
    /// The rules by which posts are held do not fit the board's order.
    case badHold = "bad-hold"
    /// Details would be public on a board that sums.
    case badDetails = "bad-details"
    case badTeams = "bad-teams"
    case nameTaken = "name-taken"
    case tokenTaken = "token-taken"
    case badExpiry = "bad-expiry"
}

extension AdminOutcome {
    /// The setting that must change, and how; nil for an outcome that is not about a setting.
    package var refusal: FieldError? {
        switch self {
        case .added, .set, .exists, .stale, .noGame, .noBoard, .noCharity, .noKey, .noProvider, .noAward: nil
        case .full: FieldError("provider", "The game has \(Limits.providersOfGameMax) providers. Remove one first.")
        case .noAwardBoard: FieldError("board", "The game has no such score board. Send the slug of one of its boards.")
        case .noAwardContest:
            FieldError("contest", "No such campaign counts donations or a board of the game. Send the slug of one.")
        case .awardFixed: FieldError("rule", "Somebody has this award, so what it is for is fixed. Add another award.")
        case .awardsFull: FieldError("award", "The game has \(Limits.awardsOfGameMax) awards, which is the limit.")
        case .badZone:
            FieldError("zone", "There is no such time zone. Send the zone of a place, such as Europe/Berlin.")
        case .badBounds: FieldError("points_min", "points_min would be above points_max. Send both.")
        case .badTimes: FieldError("opens", "It would close before it opens. Send both opens and closes.")
        case .badHold:
            FieldError(
                "hold_above",
                "hold_above is 1 or more where high is good, and below 1 where low is, where there is no hold_pace.")
        case .badDetails: FieldError.publicSums
        case .badTeams: FieldError.teamSums
        case .closed: FieldError("closes", "It has closed. Remove closes first.")
        case .fixed: FieldError("policy", "order, policy and zone are fixed after the first post.")
        case .classic: FieldError("policy", "Classic clients expect this board to keep the best, highest first.")
        case .nameTaken:
            FieldError(
                "name", kind: .nameRefused, "Another charity has this name. Choose one that nobody mistakes for it.")
        case .tokenTaken: FieldError("token", "Another key has this token. Make a new one.")
        case .badExpiry: FieldError("expires_at", "expires_at is in the past. Send a later time, or none.")
        }
    }
}
