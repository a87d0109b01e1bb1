package import Domain
import Postgres

extension Administration {
    /// Adds an award to a game.
    /// - Parameter actor: Who does it, for the log: a key's id, or `cli`.
    package func addAward(_ slug: Slug, _ award: Award, in game: Slug, by actor: String = "cli", now: Instant)
        async throws(StoreError) -> AdminOutcome
    {
        var change = AwardChange()
        (change.name, change.rule, change.isSecret) = (award.name, award.rule, award.isSecret)
        change.text = award.text.map { .set($0) } ?? .keep
        let entry = ChangeEntry.award(.put, slug, in: game, change.values)
        return try await changing(logging: entry, by: actor, now: now) { connection throws(PostgresError) in
            // Locks the game, so that concurrent additions cannot exceed the limit.
            _ = try await connection.rows(GameLock(slug: game))
            return (try await connection.row(AwardAdd(slug, award, in: game, now: now)), ())
        }.outcome
    }

    /// Changes an award.
    /// - Parameter version: The version that its settings must have; nil for any.
    /// - Returns: The outcome, and the award as it is now.
    package func setAward(
        _ slug: Slug, in game: Slug, _ change: AwardChange, at version: String? = nil, by actor: String = "cli",
        now: Instant
    ) async throws(StoreError) -> (outcome: AdminOutcome, now: AwardListing?) {
        let entry = ChangeEntry.award(.patch, slug, in: game, change.values)
        return try await changing(logging: entry, by: actor, now: now) { connection throws(PostgresError) in
            _ = try await connection.row(LockPatience())
            _ = try await connection.rows(GameLock(slug: game))
            // Nobody is given the award between the look at who has it and the change.
            if change.rule != nil { _ = try await connection.row(AwardsLock()) }
            guard let before = try await connection.firstRow(AwardList(game: game, slug: slug)) else {
                return (.noAward, nil)
            }
            let award = change.applied(to: before.award)
            let fields = award.rule.fields
            let set = AwardSet(
                game: game, slug: slug, name: award.name, text: award.text?.description, rule: fields.kind,
                atLeast: fields.atLeast, board: fields.board, season: fields.season, isOfDay: fields.window == .day,
                isSecret: award.isSecret, version: version, contest: fields.contest)
            let outcome = try await connection.row(set)
            return (outcome, try await connection.firstRow(AwardList(game: game, slug: slug)))
        }
    }
}

extension Store {
    /// The awards of a game, by slug.
    package func awards(of game: Slug) async throws(StoreError) -> [AwardListing] {
        try await general { connection throws(PostgresError) in try await connection.rows(AwardList(game: game)) }
    }

    package func findAward(_ slug: Slug, in game: Slug) async throws(StoreError) -> AwardListing? {
        try await general { connection throws(PostgresError) in
            try await connection.firstRow(AwardList(game: game, slug: slug))
        }
    }
}

extension AwardAdd {
    init(_ slug: Slug, _ award: Award, in game: Slug, now: Instant) {
        let fields = award.rule.fields
        self.init(
            game: game, slug: slug, name: award.name, text: award.text?.description, rule: fields.kind,
            atLeast: fields.atLeast, board: fields.board, season: fields.season, isOfDay: fields.window == .day,
            isSecret: award.isSecret, now: now, contest: fields.contest)
    }
}

extension AwardChange {
    /// The changes, for the log.
    var values: [(String, SettingValue)] {
        var values: [(String, SettingValue)] = []
        if let name { values.append(("name", .text(name.description))) }
        if text.isGiven { values.append(("text", SettingValue(text: text))) }
        if let fields = rule?.fields {
            values.append(("rule", .plain(fields.kind.rawValue)))
            values.append(("at_least", fields.atLeast.map { .plain(String($0)) } ?? .none))
            values.append(("board", fields.board.map { .plain($0.description) } ?? .none))
            values.append(("season", fields.season.map { .plain(String($0)) } ?? .none))
            values.append(("contest", fields.contest.map { .plain($0.description) } ?? .none))
            values.append(("window", fields.window.map { .plain($0.rawValue) } ?? .none))
        }
        if let isSecret { values.append(("secret", .plain(String(isSecret)))) }
        return values
    }
}
