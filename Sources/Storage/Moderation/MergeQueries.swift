import Domain
import FoundationEssentials
import Postgres
import Statements

// The statements that make players one, and part them again.

/// `survivors_find.sql`
struct SurvivorsFind: Query {
    static let sql = SQL.survivorsFind
    let players: [Player.ID]
    var binds: Binds { [players] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (player: Player.ID, survivor: Player.ID) {
        (player: try row.next(), survivor: try row.next())
    }
}

/// `player_merge.sql`
struct PlayerMerge: Query {
    typealias Row = Void
    static let sql = SQL.playerMerge
    let player: Player.ID
    let survivor: Player.ID
    let action: UUID
    let now: Instant
    var binds: Binds { [player, survivor, action, now, Limits.saveSlotsMax] }
}

/// `player_part.sql`
struct PlayerPart: Query {
    typealias Row = Void
    static let sql = SQL.playerPart
    let player: Player.ID
    let survivor: Player.ID
    var binds: Binds { [player, survivor] }
}

/// `history_exceeds.sql`
struct HistoryExceeds: Query {
    static let sql = SQL.historyExceeds
    let player: Player.ID
    let other: Player.ID
    let rows: Int32
    var binds: Binds { [player, other, rows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}

/// `wallet_recompute.sql`
struct WalletRecompute: Query {
    typealias Row = Void
    static let sql = SQL.walletRecompute
    let player: Player.ID
    var binds: Binds { [player] }
}

/// `merge_find.sql`
struct MergeFind: Query {
    static let sql = SQL.mergeFind
    let player: Player.ID
    var binds: Binds { [player] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        into: Player.ID, survivor: Player.ID, action: UUID
    ) { (into: try row.next(), survivor: try row.next(), action: try row.next()) }
}

/// `members_find.sql`
struct MembersFind: Query {
    static let sql = SQL.membersFind
    let survivor: Player.ID
    var binds: Binds { [survivor] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Player.ID { try row.next() }
}

extension Connection {
    /// Locks the wallets of some players and of those with whom they are one, in the order in which everybody locks
    /// them, and brings whom each of them is by now. One who does not exist is left out.
    /// - Returns: Nil when players became one again and again meanwhile.
    func lockSurvivors(of asked: Set<Player.ID>) async throws(PostgresError) -> [Player.ID: Player.ID]? {
        try await run(TalliesShare())
        // Whoever is merged while the lock is waited for is another one afterwards.
        for _ in 0..<Limits.survivorAttemptsMax {
            let survivors = try await survivors(of: asked)
            _ = try await rows(CallersLock(callers: asked.union(survivors.values).map { .player($0) }))
            if try await self.survivors(of: asked) == survivors { return survivors }
        }
        return nil
    }

    private func survivors(of players: Set<Player.ID>) async throws(PostgresError) -> [Player.ID: Player.ID] {
        let found = try await rows(SurvivorsFind(players: players.sorted()))
        return Dictionary(found.map { ($0.player, $0.survivor) }) { first, _ in first }
    }
}
