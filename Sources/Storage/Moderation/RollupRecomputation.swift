import Domain
import FoundationEssentials
import Postgres
import Statements

/// Makes all that is derived from players' ledger rows what the ledgers say, in the transaction that changed them. The
/// players' wallets are locked. Charities' totals are locked last, in the order in which donations lock them.
struct RollupRecomputation {
    let players: [Player.ID]
    /// The action that is the cause; nil when a player is, by a post or by taking a donation back.
    let action: UUID?
    let now: Instant
    /// Other players on whose days these players may have rows, because they were one with them.
    var daysOf: [Player.ID] = []
    /// Donations that were taken back, or are donated again.
    var reversals: [(row: LedgerRowID, isReversed: Bool)] = []

    /// Does so after scores changed their state.
    func recomputeScores(on connection: Connection) async throws(PostgresError) {
        for player in players {
            try await connection.run(all: [
                StandingsRecompute(player: player), TalliesRecompute(player: player, daysOf: daysOf),
                BestPostsForget(player: player),
            ])
        }
    }

    /// Funds donations as far as the wallets reach, the oldest first, and does so for what was donated.
    /// - Parameter donated: What charities receive beside that in the same transaction.
    func recomputeDonations(beside donated: [CharityTotalsAdd.Total] = [], on connection: Connection)
        async throws(PostgresError)
    {
        var totals = donated
        for player in players {
            try await connection.run(DonationsFund(player: player, action: action, now: now))
            totals += try await connection.rows(DonationStandingsRecompute(player: player, now: now))
            try await connection.run(DonationTalliesRecompute(player: player, daysOf: daysOf))
        }
        if !reversals.isEmpty {
            let charities = try await connection.rows(CapsReversedLock(donations: reversals.map { $0.row }))
            if !charities.isEmpty { try await connection.run(CapsReverse(donations: reversals)) }
        }
        if totals.isEmpty { return }
        let add = CharityTotalsAdd(totals: totals)
        let charities = add.totals.map { $0.charity }
        _ = try await connection.rows(CharityTotalsLock(charities: charities))
        try await connection.run(all: [add, CharityTotalsDate(charities: charities)])
    }
}
