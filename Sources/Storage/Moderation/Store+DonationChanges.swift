package import Domain
package import FoundationEssentials
import Postgres

/// What players change of what they donated.
package enum DonationChange: Sendable {
    /// Nobody learns from now on who donated it. It stays so.
    case anonymise
    /// It is reversed, within the charity's cooling off.
    case takeBack
}

/// What became of a change of a donation.
package enum DonationChangeOutcome: Sendable, Equatable {
    case done
    /// It is so already.
    case repeated
    case noDonation
    /// The player may not write.
    case banned
    /// The cooling off is over, or the charity has closed.
    case tooLate
}

extension Store {
    /// Finds the player for whom a caller donates, as it was before players were merged; or why there is none, as for a
    /// donation.
    package func findDonor(_ caller: Caller, now: Instant) async throws(StoreError) -> (
        player: Player.ID?, refusal: DonationOutcome?
    ) {
        let found = try await general { connection throws(PostgresError) in
            try await connection.row(CallersIdentify(callers: [caller], games: [nil], areScores: [false], now: now))
        }
        let player = found.player == nil ? nil : found.own
        return (player, found.refusal.map { DonationOutcome(rawValue: $0.rawValue) ?? .noPlayer })
    }

    /// Whom players are by now: themselves, or those into whom they were merged. One who does not exist is left out.
    package func survivors(of players: [Player.ID]) async throws(StoreError) -> [Player.ID: Player.ID] {
        let found = try await general { connection throws(PostgresError) in
            try await connection.rows(SurvivorsFind(players: players))
        }
        return Dictionary(found.map { ($0.player, $0.survivor) }) { first, _ in first }
    }

    /// How many actions, and as many changes of players, may have a connection of the ledger pool at the same time:
    /// they derive a player's whole giving anew, and posts wait for connections behind them.
    package var changesAtOnceMax: Int { max(1, ledgerPool.limits.connectionsMax / 4) }

    /// Changes a donation in one transaction with all that is derived from it. While somebody else holds the player's
    /// lock for long it fails as `overloaded`.
    /// - Parameters:
    ///   - player: The caller's own player, whose donation under the id comes before that of one who is one with it.
    ///   - marker: The commit marker, as in ``commit(scores:donations:isRepeated:marker:known:now:)``.
    package func change(
        _ donation: UUID, to charity: Slug, of player: Player.ID, _ change: DonationChange, marker: String?,
        now: Instant
    ) async throws(StoreError) -> DonationChangeOutcome {
        do throws(PostgresError) {
            return try await ledgerPool.withConnection(repeatedOnce: Repetition(onlyReads: false)) {
                connection throws(PostgresError) in
                try await connection.transaction { connection throws(PostgresError) in
                    _ = try await connection.row(LockPatience())
                    guard let survivor = try await connection.lockSurvivors(of: [player])?[player],
                        let wallet = try await connection.firstRow(WalletsLock(players: [survivor]))?.wallet,
                        let found = try await connection.firstRow(
                            DonationChangeable(player: player, donation: donation, charity: charity))
                    else { return .noDonation }
                    if wallet.isBanned { return .banned }
                    let row = LedgerRowID(owner: found.owner, id: donation)
                    var recomputation = RollupRecomputation(players: [survivor], action: nil, now: now)
                    switch change {
                    case .anonymise:
                        if found.isAnonymous { return .repeated }
                        try await connection.run(DonationAnonymise(donation: row))
                    case .takeBack:
                        if found.isReversed { return .repeated }
                        guard now < found.reversibleUntil else { return .tooLate }
                        try await connection.run(DonationReverse(takingBack: row, of: survivor, now: now))
                        recomputation.reversals = [(row, true)]
                    }
                    try await recomputation.recomputeDonations(on: connection)
                    if let marker { try await connection.run(all: [MarkerEmit(marker: marker)]) }
                    return .done
                }
            }
        } catch { throw failure(error) }
    }
}
