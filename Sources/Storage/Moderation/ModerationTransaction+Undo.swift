import Domain
import FoundationEssentials
import Postgres

// How each action is undone.
extension ModerationTransaction {
    /// Makes what another action moved as it was before that action. Nothing but its own effect may stand on the
    /// subject.
    func undo(_ other: UUID, _ subject: Subject) async throws(ModerationRollback) -> Effect {
        // It is read again, because another action may have come before the lock was had.
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(ActionUndoable(action: other))
        }
        guard let found else { throw .answered(.noAction) }
        if found.isUndone { throw .answered(.conflict(other)) }
        switch found.kind {
        case "hide", "ban": return Effect(changesVisibility: true)
        case "merge": return try await part(subject, merged: other)
        case "rename":
            // Whoever has taken another name since then keeps it, and a name that waits since then goes on.
            let known = try await player(subject.player)
            guard let former = found.formerName, known.name == found.name else {
                throw try await conflict("rename", on: subject.player)
            }
            let waited = known.waiting.name == nil ? found.formerWaiting : known.waiting
            let waiting = WaitingName(name: waited.name, since: waited.since, nextWaits: found.formerWaiting.nextWaits)
            return try await rename(subject.player, to: former, waiting: waiting)
        case "anonymise", "grant", "withdraw", "take-down", "undo", "erase", "reset": throw .answered(.conflict(other))
        case "correct":
            let movements = try await movements(of: other)
            guard let replaced = movements.first else { throw .answered(.conflict(other)) }
            // The score in its place is in the same ledger.
            let row = LedgerRowID(owner: replaced.subject.owner, id: other)
            guard try await self.found(row.owner, row.id).state == .counted else { throw try await conflict(on: row) }
            // What is brought back comes first, as when it was replaced: points that were forfeited may stand on it.
            var effect = try await unmove(movements, of: other, subject)
            let moved = try await move(replaced.player, [row], from: .counted, to: .voided)
            effect.values.append(("voided", String(moved.earned)))
            return effect
        default:
            let movements = try await movements(of: other)
            if movements.isEmpty { return try await restoreReports(dismissedBy: other) }
            return try await unmove(movements, of: other, subject)
        }
    }

    /// Lets what an action dismissed wait again. A name that was approved is another matter: the player can be renamed.
    private func restoreReports(dismissedBy other: UUID) async throws(ModerationRollback) -> Effect {
        let restored = try await run { connection throws(PostgresError) in
            try await connection.row(ReportsRestore(action: other))
        }
        guard restored > 0 else { throw .answered(.conflict(other)) }
        return Effect(values: [("reports", String(restored))])
    }

    private func movements(of other: UUID) async throws(ModerationRollback) -> [ActionMovement] {
        try await run { connection throws(PostgresError) in try await connection.rows(ActionMovements(action: other)) }
    }

    private func unmove(_ movements: [ActionMovement], of other: UUID, _ subject: Subject)
        async throws(ModerationRollback) -> Effect
    {
        if let moved = movements.first(where: { $0.newestAction != other }) {
            throw .answered(.conflict(moved.newestAction))
        }
        var effect = Effect(others: Array(subject.others))
        var earned: Int64 = 0
        for (group, scores) in Dictionary(grouping: movements.lazy.filter(\.isScore), by: \.group) {
            let states = group.states
            earned += try await move(group.player, scores.map(\.subject), from: states.became, to: states.was).earned
            effect.movesScores = true
        }
        for movement in movements where !movement.isScore {
            try await reverse(
                movement.player, movement.subject, isReversed: movement.states.was == .reversed,
                forfeited: movement.restored, restored: movement.forfeited)
            effect.reversals.append((movement.subject, movement.states.was == .reversed))
            effect.movesDonations = true
        }
        effect.values = [("earned", String(earned)), ("moved", String(movements.count))]
        return effect
    }
}
