package import Domain
import Postgres

// Which players have which awards.
extension Store {
    /// Makes who has some awards what the ledgers say.
    /// - Parameters:
    ///   - pairs: At most ``Limits/awardPairsMax``. Awards for ranks, and those that are granted, stay as they are.
    ///   - onlyMissing: Leaves pairs out that have the award, because playing takes none away.
    package func reconcileAwards(_ pairs: [AwardPair], onlyMissing: Bool) async throws(StoreError) -> AwardChanges {
        let reconcile = AwardsReconcile(
            awards: pairs.map(\.award), players: pairs.map(\.player), onlyMissing: onlyMissing)
        return try await deciding { connection throws(PostgresError) in
            let rows = try await connection.rows(reconcile)
            var changes = AwardChanges()
            for row in rows { changes += (row.given, row.withdrawn, row.moved) }
            let totals = rows.filter { $0.given != $0.withdrawn }
            if !totals.isEmpty {
                let add = AwardTotalsAdd(awards: totals.map(\.award), changes: totals.map { $0.given - $0.withdrawn })
                try await connection.run(add)
            }
            return changes
        }
    }

    /// Makes who has an award for the rank in a season or campaign that is over what the final order says, as far as
    /// one transaction goes.
    /// - Returns: What was changed, and whether there may be more.
    package func reconcileRanks(_ occasion: AwardOccasion, now: Instant) async throws(StoreError) -> (
        AwardChanges, hasMore: Bool
    ) {
        let reconcile = AwardRankReconcile(
            award: occasion.award, board: occasion.board, limitRows: Limits.awardRowsMax, now: now)
        let changes = try await deciding { connection throws(PostgresError) in
            let row = try await connection.row(reconcile)
            var changes = AwardChanges()
            changes += row
            if row.given != row.withdrawn {
                try await connection.run(AwardTotalsAdd(awards: [occasion.award], changes: [row.given - row.withdrawn]))
            }
            return changes
        }
        return (changes, max(changes.given, changes.withdrawn) >= Int64(Limits.awardRowsMax))
    }

    /// Runs a transaction that decides who has awards; one at a time does.
    private func deciding(_ body: (Connection) async throws(PostgresError) -> AwardChanges) async throws(StoreError)
        -> AwardChanges
    {
        try await ledger { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                _ = try await connection.row(LockPatience())
                _ = try await connection.row(AwardsLock())
                return try await body(connection)
            }
        }
    }

    /// The awards that some players may have, as far as they follow from what a player did.
    package func awardPairs(of players: [Player.ID]) async throws(StoreError) -> [AwardPair] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(AwardPairsOf(players: players)).map(AwardPair.init)
        }
    }

    /// The awards for ranks in seasons and campaigns that are over, with a row of some players on their boards.
    package func awardOccasions(of players: [Player.ID], now: Instant) async throws(StoreError) -> [AwardOccasion] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(AwardOccasionsOf(players: players, now: now)).map(AwardOccasion.init)
        }
    }

    /// The awards for ranks on some boards whose season is over.
    package func awardSeasons(on boards: [Board.ID]) async throws(StoreError) -> [AwardOccasion] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(AwardSeasonsOn(boards: boards)).map(AwardOccasion.init)
        }
    }

    /// All awards for ranks, with each season or campaign that is over: the next ones in order.
    package func awardOccasions(after last: AwardOccasion?, now: Instant) async throws(StoreError) -> [AwardOccasion] {
        let page = AwardOccasionsPage(
            award: last?.award ?? Award.ID(rawValue: 0), board: last?.board ?? Board.ID(rawValue: 0), now: now,
            limitRows: Limits.awardRowsMax)
        return try await general { connection throws(PostgresError) in
            try await connection.rows(page).map(AwardOccasion.init)
        }
    }

    /// The awards for ranks in campaigns.
    package func awardContests() async throws(StoreError) -> [AwardContest] {
        try await general { connection throws(PostgresError) in try await connection.rows(AwardContests()) }
    }

    /// What changes of boards may bring awards, the boards that are being played, and the rules that awards have.
    package func awardConditions() async throws(StoreError) -> (
        [AwardCondition], boards: [FollowedBoard], rules: [AwardRule.Kind]
    ) {
        try await general { connection throws(PostgresError) in
            try await connection.pipeline(AwardConditions(), BoardsFollowed(), AwardRules())
        }
    }

    /// The next boards on which players may have reached awards, by id.
    package func awardBoards(after board: Board.ID) async throws(StoreError) -> [Board.ID] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(AwardBoards(after: board, limitRows: Limits.awardRowsMax))
        }
    }

    /// Which of the next players of a board may have reached awards that they do not have.
    /// - Returns: The pairs, and the last player that was looked at; nil at the end of the board.
    package func awardsDue(on board: Board.ID, after player: Int64) async throws(StoreError) -> (
        [AwardPair], last: Int64?
    ) {
        let due = AwardsDue(board: board, after: Player.ID(rawValue: player), limitRows: Limits.awardPlayersLookedAt)
        let rows = try await general { connection throws(PostgresError) in try await connection.rows(due) }
        let pairs = rows.compactMap { row in
            row.player.flatMap { player in row.award.map { AwardPair(award: $0, player: player) } }
        }
        return (pairs, rows.last.flatMap(\.player)?.rawValue)
    }

    /// Finds the players whose rows were corrected, or who were merged, among the next players with awards.
    /// - Returns: These, and the last player that was looked at; nil at the end.
    package func awardHoldersCorrected(after player: Player.ID) async throws(StoreError) -> (
        [Player.ID], last: Player.ID?
    ) {
        let page = AwardHoldersCorrected(after: player, limitRows: Limits.awardPlayersLookedAt)
        let rows = try await general { connection throws(PostgresError) in try await connection.rows(page) }
        return (rows.filter(\.isCorrected).compactMap(\.player), rows.last { !$0.isCorrected }?.player)
    }
}

// Awards that are granted.
extension Store {
    /// Gives a player an award that is granted.
    /// - Parameter game: The game of the key that asks; nil for an operator.
    package func grant(_ award: Slug, to player: Player.ID, in game: Slug?, now: Instant) async throws(StoreError)
        -> AwardOutcome
    {
        try await registering { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                _ = try await connection.row(LockPatience())
                return try await connection.grant(award, to: player, in: game, now: now)
            }
        }
    }
}

extension Connection {
    func grant(_ award: Slug, to player: Player.ID, in game: Slug?, now: Instant) async throws(PostgresError)
        -> AwardOutcome
    {
        let (outcome, id) = try await row(AwardGrant(player: player, game: game, award: award, now: now))
        if outcome == .granted, let id { try await run(AwardTotalsAdd(awards: [id], changes: [1])) }
        return outcome
    }

    func withdraw(_ award: Slug, from player: Player.ID) async throws(PostgresError) -> AwardOutcome {
        let (outcome, id, rows) = try await row(AwardWithdraw(player: player, award: award))
        if outcome == .withdrawn, let id { try await run(AwardTotalsAdd(awards: [id], changes: [-rows])) }
        return outcome
    }

    /// Takes all awards of players who are erased.
    func eraseAwards(of players: [Player.ID]) async throws(PostgresError) {
        let gone = try await rows(AwardsErase(players: players))
        if gone.isEmpty { return }
        try await run(AwardTotalsAdd(awards: gone.map(\.award), changes: gone.map { -$0.rows }))
    }
}

// What is shown of awards.
extension Store {
    /// All awards of a player's game, with how far the player is.
    package func ownAwards(of player: Player.ID, now: Instant) async throws(StoreError) -> [OwnAward] {
        let (rows, points, days, donations) = try await general { connection throws(PostgresError) in
            try await connection.pipeline(
                AwardsOwn(player: player), AwardPointsOwn(player: player, now: now),
                AwardDaysOwn(player: player, now: now), PlayerDonationTotals(player: player, withAnonymous: false))
        }
        var progress = AwardProgress()
        for row in points {
            let place = AwardRule.Fields(
                kind: .points, board: row.board, season: row.season, window: row.isOfDay ? .day : .season)
            progress.points[place] = Int64(clamping: row.points)
        }
        for row in days { progress.days[row.board] = (row.days, row.today) }
        progress.given = Int64(clamping: donations.reduce(Int128(0)) { $0 + Int128($1.points) })
        progress.charities = Int64(donations.count)
        return rows.map { row in
            OwnAward(
                slug: row.slug, award: row.award, givenAt: row.givenAt, occasion: row.occasion,
                timesCount: row.timesCount, have: progress.have(row.award.rule))
        }
    }

    /// The newest awards of a player, as everybody sees them.
    package func shownAwards(of player: Player.ID) async throws(StoreError) -> [GivenAward] {
        try await general { connection throws(PostgresError) in try await connection.rows(AwardsShown(player: player)) }
    }

    /// An award that a player has; nil where it does not.
    package func shownAward(_ award: Slug, of player: Player.ID) async throws(StoreError) -> GivenAward? {
        try await general { connection throws(PostgresError) in
            try await connection.rows(AwardsShown(player: player, award: award)).first
        }
    }

    /// A player's awards by id: those after a key, or from the first one.
    package func exportedAwards(of player: Player.ID, after key: ExportedAward.Key?, limitRows: Int)
        async throws(StoreError) -> [ExportedAward]
    {
        let query = AwardsExported(
            player: player, afterPlayer: key?.player ?? Player.ID(rawValue: 0),
            afterAward: key?.award ?? Award.ID(rawValue: 0), afterOccasion: key?.occasion ?? "",
            limitRows: Int32(clamping: limitRows))
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }
}

/// An award that a player may have.
package struct AwardPair: Sendable, Hashable {
    package let award: Award.ID
    package let player: Player.ID

    package init(award: Award.ID, player: Player.ID) { (self.award, self.player) = (award, player) }
}

/// An award for a rank, and what is over.
package struct AwardOccasion: Sendable, Hashable {
    package let award: Award.ID
    /// The board of a season; nil for the award's campaign.
    package let board: Board.ID?

    package init(award: Award.ID, board: Board.ID?) { (self.award, self.board) = (award, board) }
}

extension Limits {
    /// Pairs of an award and a player that one transaction decides about.
    package static let awardPairsMax = 500
    /// Rows that a transaction about ranks adds or takes away, and that a page of what is looked at has.
    static let awardRowsMax: Int32 = 500
    /// Players of a board, or with awards, that one statement of a sweep looks at.
    static let awardPlayersLookedAt: Int32 = 500
}
