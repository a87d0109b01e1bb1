import Concurrency
package import Domain
import OrderStatistics
package import Storage

// Where a player is told that it stands while scores of it are held: as if they counted. Nobody else sees that.
extension Rankings {
    /// The position that a player is told.
    /// - Returns: Nil when the player stands where everybody sees.
    package func findOwnPosition(of player: Player.ID, on board: Board, window: Window) async throws(StoreError)
        -> OwnPosition?
    {
        let days = window.days(today: board.today)
        guard let place = try await ownPlace(of: player, on: board, days: days) else { return nil }
        return try await ownPosition(of: place, on: board, days: days)
    }

    /// The place that a player is told; nil when it is the one that everybody sees.
    func ownPlace(of player: Player.ID, on board: Board, days: ClosedRange<Day>?) async throws(StoreError) -> SortKey? {
        let player = try await survivor(of: player)
        if try await isErased(player) { return nil }
        let held = try await holds.value(of: player, mayKeep: standings.areCurrent) { () async throws(StoreError) in
            HeldScores(areAny: try await store.hasHeldScores(player, now: clock.now))
        }
        guard held.areAny else { return nil }
        return try await store.findOwnPlace(of: player, on: board.id, days: days, now: clock.now)
    }

    /// A player's own place with its neighbours, or more of them, and the row after them.
    func page(of board: Board, days: ClosedRange<Day>?, around place: SortKey, limitRows: Int) async throws(StoreError)
        -> Page
    {
        let before = try await page(of: board, days: days, pageRequest: .before(place), limitRows: limitRows + 1)
        let after = try await page(of: board, days: days, pageRequest: .after(place), limitRows: limitRows + 1)
        guard let mine = try await ownPosition(of: place, on: board, days: days) else {
            return Page(rows: [], position: nil, sharedPosition: nil, size: nil)
        }
        let above = before.rows.filter { $0.sortKey.precedes(place) && $0.sortKey.row != place.row }.suffix(limitRows)
        let below = after.rows.filter { $0.sortKey.row != place.row }.prefix(limitRows)
        let summary = try await summaries.summaries(of: [place.row]).first ?? nil
        let own = Standing(
            row: place.row, name: summary?.name ?? "", avatar: summary?.avatar, flag: summary?.flag,
            points: mine.position.points, reachedAt: place.reachedAt, orderKey: place.orderKey)
        let first = mine.position.position - Int64(above.count)
        var shared = mine.position.sharedPosition
        if let best = above.first, best.sortKey.orderKey != place.orderKey {
            let place = SortKey(orderKey: best.sortKey.orderKey, reachedAt: best.reachedAt, row: place.row)
            shared = try await ownPosition(of: place, on: board, days: days)?.position.sharedPosition ?? first
        }
        return Page(rows: above + [own] + below, position: first, sharedPosition: shared, size: mine.size)
    }

    private func ownPosition(of place: SortKey, on board: Board, days: ClosedRange<Day>?) async throws(StoreError)
        -> OwnPosition?
    {
        let inMemory = standings.read(board, days: days) { set, _ in
            OwnPosition(
                position: RankPosition(set.rankedPosition(placing: RankedRow(place)), lowestFirst: board.lowestFirst),
                size: Int64(set.count) + (set.find(place.row) == nil ? 1 : 0))
        }
        if let inMemory { return inMemory }
        return try await bySQL(days) { () async throws(StoreError) in
            let position = try await store.findOwnPosition(
                of: place, on: board.id, lowestFirst: board.lowestFirst, days: days)
            return position
        }
    }
}

/// Whether scores of a player are held, or voided without telling the player. It is asked about anew once any is held,
/// so a remembered `false` holds until then, and a remembered `true` is not yet the answer.
package struct HeldScores: CacheSized {
    let areAny: Bool
    /// An entry of a dictionary that is a little over half full.
    package var bytesInCache: Int { 56 }
}

extension Rankings {
    /// A player's friends, friend requests and blocks, each list with the newest first.
    /// - Throws: As ``turn(of:_:)``.
    package func ties(of player: Player.ID) async throws(StoreError) -> [OwnTie] {
        try await turn(of: player) { () async throws(StoreError) in try await store.ties(of: player) }
    }

    /// The profile that a player sees of itself, its donations to each charity, anonymous ones included, what its
    /// slots have, and how many awards it has. For a player with many donations, many rows are added up.
    /// - Throws: As ``turn(of:_:)``.
    package func ownProfile(of player: Player.ID) async throws(StoreError) -> (
        profile: OwnProfile, donations: [DonationTotal], saves: [SaveVersion], awards: (count: Int64, newest: Slug?)
    ) {
        try await turn(of: player) { () async throws(StoreError) in
            try await store.ownProfile(of: player, now: clock.now)
        }
    }

    /// All awards of a player's game, with how far the player is.
    /// - Throws: As ``turn(of:_:)``.
    package func ownAwards(of player: Player.ID) async throws(StoreError) -> [OwnAward] {
        try await turn(of: player) { () async throws(StoreError) in
            try await store.ownAwards(of: player, now: clock.now)
        }
    }

    /// Runs a read of a player's own data when it is the player's turn.
    /// - Throws: `crowded` if the queue is full, `overloaded` if the turn comes too late.
    func turn<Value: Sendable>(of player: Player.ID, _ read: () async throws(StoreError) -> Value)
        async throws(StoreError) -> Value
    {
        let endsAt = ContinuousClock.now + .seconds(Limits.ownReadsWaitSecondsMax)
        return try await ownReads.run(of: player) { () async throws(StoreError) in
            guard .now < endsAt else { throw .overloaded }
            return try await read()
        }
    }
}
