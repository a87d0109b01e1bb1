package import Domain
package import FoundationEssentials
import Postgres

extension Store {
    /// Does what an operator decided, in one transaction: what it changes, everything that is derived from that, and
    /// the entry of the log.
    /// - Parameters:
    ///   - actor: Who does it: a key's id, `cli` or `server`.
    ///   - isDry: Whether it is only tried, and nothing is kept.
    ///   - marker: The commit marker, as in ``commit(scores:donations:isRepeated:marker:known:now:)``.
    package func perform(
        _ act: Act,
        by actor: String,
        isDry: Bool = false,
        marker: String? = nil,
        now: Instant
    ) async throws(StoreError) -> ActOutcome {
        do throws(ActUndone) {
            return try await performOnce(act, by: actor, isDry: isDry, marker: marker, now: now)
        } catch {
            switch error {
            case .answered(let outcome): return outcome
            case .failed(let error) where error.state == .uniqueViolation: return .idReused
            case .failed(let error) where error.state == .numericValueOutOfRange: return .boardFull
            case .failed(let error) where error.state == .checkViolation:
                // What a score earned cannot be voided beside points that were voided with a donation made of them;
                // and what an undo brings back may no longer fit beside what came since.
                return .conflict(try await forfeit(act))
            case .failed(let error): throw failure(error)
            }
        }
    }

    /// The act that voided points with a donation, which stands in the way of voiding the scores that earned them.
    private func forfeit(_ act: Act) async throws(StoreError) -> UUID? {
        try await general { connection throws(PostgresError) in
            var player = act.deed.player
            if case .undo(let other) = act.deed {
                player = try await connection.firstRow(ActUndoable(act: other))?.player
            }
            guard let player else { return nil }
            return try await connection.firstRow(ForfeitNewest(player: player))
        }
    }

    private func performOnce(
        _ act: Act,
        by actor: String,
        isDry: Bool,
        marker: String?,
        now: Instant
    ) async throws(ActUndone) -> ActOutcome {
        // Each retry begins anew: the act's id makes one that was committed a repeat.
        let repetition = Repetition(onlyReads: false)
        do throws(ActUndone) {
            return try await transact(act, by: actor, isDry: isDry, marker: marker, now: now)
        } catch {
            guard case .failed(let cause) = error, repetition.isDue(after: cause) else { throw error }
            return try await transact(act, by: actor, isDry: isDry, marker: marker, now: now)
        }
    }

    private func transact(
        _ act: Act,
        by actor: String,
        isDry: Bool,
        marker: String?,
        now: Instant
    ) async throws(ActUndone) -> ActOutcome {
        try await ledgerPool.withConnection { connection throws(ActUndone) in
            try await connection.transaction { connection throws(ActUndone) in
                let transaction = ActTransaction(act: act, actor: actor, now: now, connection: connection)
                let receipt = try await transaction.perform()
                if isDry { throw .answered(.done(receipt)) }
                if let marker {
                    do throws(PostgresError) { try await connection.run(all: [MarkerEmit(marker: marker)]) } catch {
                        throw .failed(error)
                    }
                }
                return .done(receipt)
            }
        }
    }

    /// Reads an act that was done, with its reason as far as that was not erased.
    package func findAct(_ id: UUID) async throws(StoreError) -> (
        receipt: ActReceipt, reason: String?, undoneBy: UUID?, isAboutAnonymous: Bool
    )? {
        try await general { connection throws(PostgresError) in
            guard let act = try await connection.firstRow(ActRead(act: id)) else { return nil }
            let funding = try await connection.rows(ActFunding(act: id))
            let named = try await connection.givenByName(around: act.entry, at: act.at, of: act.walletOwner)
            let receipt = ActReceipt(
                id: id,
                deed: act.deed,
                player: act.player,
                subject: act.subject,
                at: act.at,
                actor: act.actor,
                before: act.before,
                after: act.after,
                named: named,
                funding: funding
            )
            return (receipt, act.reason, act.undoneBy, act.isAboutAnonymous)
        }
    }

    /// Whom players are by now: themselves, or those into whom they were merged. One who does not exist is left out.
    package func survivors(of players: [Player.ID]) async throws(StoreError) -> [Player.ID: Player.ID] {
        let found = try await general { connection throws(PostgresError) in
            try await connection.rows(SurvivorsFind(players: players))
        }
        return Dictionary(found.map { ($0.player, $0.survivor) }) { first, _ in first }
    }

    /// The bans whose end has come, at most so many.
    package func bansOver(_ now: Instant, rows: Int32) async throws(StoreError) -> [UUID] {
        try await general { connection throws(PostgresError) in
            try await connection.rows(BansOver(now: now, rows: rows))
        }
    }
}

/// Why the transaction of an act is rolled back.
enum ActUndone: PostgresErrorConvertible {
    case failed(PostgresError)
    /// It is answered without a change.
    case answered(ActOutcome)

    init(_ error: PostgresError) {
        self = .failed(error)
    }
}
