package import Domain
package import FoundationEssentials
import Postgres

extension Administration {
    /// Does what an operator decided, in one transaction: what it changes, everything that is derived from that, and
    /// the entry of the log.
    /// - Parameters:
    ///   - actor: Who does it: a key's id, `cli` or `server`.
    ///   - isDry: Whether it is only tried, and nothing is kept.
    ///   - marker: The commit marker, as in ``commit(scores:donations:isRepeated:marker:known:now:)``.
    package func perform(
        _ action: ModerationAction, by actor: String, isDry: Bool = false, marker: String? = nil, now: Instant
    ) async throws(StoreError) -> ModerationOutcome {
        do throws(ModerationRollback) {
            return try await performOnce(action, by: actor, isDry: isDry, marker: marker, now: now)
        } catch {
            switch error {
            case .answered(let outcome): return outcome
            case .failed(let error) where error.state == .uniqueViolation: return .idReused
            case .failed(let error) where error.state == .numericValueOutOfRange: return .boardFull
            case .failed(let error) where error.state == .checkViolation:
                // What a score earned cannot be voided beside points that were voided with a donation made of them;
                // and what an undo brings back may no longer fit beside what came since.
                return .conflict(try await forfeit(action))
            case .failed(let error): throw store.failure(error)
            }
        }
    }

    /// The action that voided points with a donation, which stands in the way of voiding the scores that earned them.
    private func forfeit(_ action: ModerationAction) async throws(StoreError) -> UUID? {
        try await store.general { connection throws(PostgresError) in
            var player = action.kind.player
            if case .undo(let other) = action.kind {
                player = try await connection.firstRow(ActionUndoable(action: other))?.player
            }
            guard let player else { return nil }
            return try await connection.firstRow(ForfeitNewest(player: player))
        }
    }

    private func performOnce(_ action: ModerationAction, by actor: String, isDry: Bool, marker: String?, now: Instant)
        async throws(ModerationRollback) -> ModerationOutcome
    {
        // Each retry begins anew: the action's id makes one that was committed a repeat.
        let repetition = Repetition(onlyReads: false)
        do throws(ModerationRollback) {
            return try await transact(action, by: actor, isDry: isDry, marker: marker, now: now)
        } catch {
            guard case .failed(let cause) = error, repetition.isDue(after: cause) else { throw error }
            return try await transact(action, by: actor, isDry: isDry, marker: marker, now: now)
        }
    }

    private func transact(_ action: ModerationAction, by actor: String, isDry: Bool, marker: String?, now: Instant)
        async throws(ModerationRollback) -> ModerationOutcome
    {
        try await store.ledgerPool.withConnection { connection throws(ModerationRollback) in
            try await connection.transaction { connection throws(ModerationRollback) in
                let transaction = ModerationTransaction(action: action, actor: actor, now: now, connection: connection)
                _ = try await transaction.run { connection throws(PostgresError) in
                    try await connection.row(ActionPatience())
                }
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

    /// Reads an action that was done, with its reason as far as that was not erased.
    package func findAction(_ id: UUID) async throws(StoreError) -> (
        receipt: ModerationReceipt, reason: String?, undoneBy: UUID?, isAboutAnonymous: Bool
    )? {
        try await store.general { connection throws(PostgresError) in
            guard let action = try await connection.firstRow(ActionRead(action: id)) else { return nil }
            let funding = try await connection.rows(ActionFunding(action: id))
            let named = try await connection.donatedByName(around: action.entry, at: action.at, of: action.walletOwner)
            let receipt = ModerationReceipt(
                id: id, kind: action.kind, player: action.player, subject: action.subject, at: action.at,
                actor: action.actor, before: action.before, after: action.after, named: named, funding: funding)
            return (receipt, action.reason, action.undoneBy, action.isAboutAnonymous)
        }
    }

    /// The bans whose end has come, at most so many.
    package func bansOver(_ now: Instant, rows: Int32) async throws(StoreError) -> [UUID] {
        try await store.general { connection throws(PostgresError) in
            try await connection.rows(BansOver(now: now, rows: rows))
        }
    }
}

/// Why the transaction of an action is rolled back.
enum ModerationRollback: PostgresErrorConvertible {
    case failed(PostgresError)
    /// It is answered without a change.
    case answered(ModerationOutcome)

    init(_ error: PostgresError) { self = .failed(error) }
}
