import Domain
import FoundationEssentials
import Postgres

// What each deed changes of the player whose wallet is locked.
extension ActTransaction {
    func effect(on player: Player.ID) async throws(ActUndone) -> Effect {
        switch act.deed {
        case .void(_, let score): try await restate(player, score, from: nil, to: .voided)
        case .voidAll(_, let heldOnly): try await restate(player, nil, from: heldOnly ? .held : nil, to: .voided)
        case .hold(_, let score): try await restate(player, score, from: .counted, to: .held)
        case .clear(_, let score): try await restate(player, score, from: .held, to: .counted)
        case .clearAll: try await restate(player, nil, from: .held, to: .counted)
        case .correct(_, let score, let points, let earned):
            try await correct(player, score, points: points, earned: earned)
        case .reverse(_, let donation, let forfeits): try await reverse(player, donation, forfeits: forfeits)
        case .hide: Effect(changesVisibility: true)
        case .ban(_, let until):
            Effect(
                numbers: until.map { [("until", $0.rfc3339(.microseconds))] } ?? [],
                changesVisibility: true
            )
        case .rename(_, let name): try await rename(player, to: name.description)
        case .takeDownPicture: try await takeDownPicture(of: player)
        case .takeDownNote(_, let score): try await takeDownNote(of: player, score)
        case .undo(let other): try await undo(other, player)
        }
    }

    /// Moves one score, or all that there are in a state.
    /// - Parameter from: Nil for any other state.
    private func restate(
        _ player: Player.ID,
        _ score: UUID?,
        from: LedgerState?,
        to: LedgerState
    ) async throws(ActUndone) -> Effect {
        if let score {
            let found = try await found(player, score)
            guard found.state != to, from == nil || found.state == from else { throw .answered(.conflict(nil)) }
        }
        let moved = try await move(player, score, from: from, to: to)
        guard moved.scores > 0 else { throw .answered(.conflict(nil)) }
        var effect = Effect(numbers: [("earned", String(moved.earned))], movesScores: true)
        if score == nil { effect.numbers.append(("scores", String(moved.scores))) }
        return effect
    }

    private func move(
        _ player: Player.ID,
        _ score: UUID?,
        from: LedgerState?,
        to: LedgerState
    ) async throws(ActUndone) -> (scores: Int64, earned: Int64) {
        try await run { connection throws(PostgresError) in
            try await connection.row(
                ScoresRestate(player: player, score: score, from: from, to: to, act: act.id, now: now)
            )
        }
    }

    private func found(_ player: Player.ID, _ score: UUID) async throws(ActUndone) -> ScoreFound.Row {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(ScoreFound(player: player, score: score))
        }
        guard let found else { throw .answered(.noScore) }
        return found
    }

    private func correct(
        _ player: Player.ID,
        _ score: UUID,
        points: Int64,
        earned: Int64
    ) async throws(ActUndone) -> Effect {
        let found = try await found(player, score)
        guard found.bounds.contains(points) else { throw .answered(.outOfBounds(found.bounds)) }
        var effect = try await restate(player, score, from: nil, to: .voided)
        let sums = try await run { connection throws(PostgresError) in
            try await connection.row(WalletSumsOf(player: player))
        }
        guard earned <= Limits.walletPointsMax - sums.earned else { throw .answered(.walletFull) }
        try await run { connection throws(PostgresError) in
            try await connection.run(
                ScoreReplace(player: player, replaced: score, score: act.id, points: points, earned: earned, now: now)
            )
        }
        effect.numbers = [
            ("points", String(points)), ("earned", String(earned)), ("voided", String(found.earned)),
        ]
        return effect
    }

    private func reverse(_ player: Player.ID, _ donation: UUID, forfeits: Bool) async throws(ActUndone) -> Effect {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(DonationFound(player: player, donation: donation))
        }
        guard let found else { throw .answered(.noDonation) }
        guard !found.isReversed else { throw .answered(.conflict(nil)) }
        // Points that are not behind the donation any more cannot be forfeited.
        let forfeited = forfeits ? found.points - found.unfunded : 0
        try await reverse(player, donation, isReversed: true, forfeited: forfeited, restored: 0)
        return Effect(
            numbers: [("points", String(found.points)), ("forfeited", String(forfeited))],
            movesDonations: true
        )
    }

    private func reverse(
        _ player: Player.ID,
        _ donation: UUID,
        isReversed: Bool,
        forfeited: Int64,
        restored: Int64
    ) async throws(ActUndone) {
        let query = DonationReverse(
            player: player,
            donation: donation,
            isReversed: isReversed,
            forfeited: forfeited,
            restored: restored,
            act: act.id,
            now: now
        )
        try await run { connection throws(PostgresError) in try await connection.run(query) }
    }

    private func rename(_ player: Player.ID, to name: String) async throws(ActUndone) -> Effect {
        let found = try await self.player(player)
        guard found.name != name else { throw .answered(.conflict(nil)) }
        try await run { connection throws(PostgresError) in
            try await connection.run(PlayerRename(player: player, name: name))
        }
        return Effect(name: name, formerName: found.name)
    }

    private func takeDownPicture(of player: Player.ID) async throws(ActUndone) -> Effect {
        guard let picture = try await self.player(player).avatar else { throw .answered(.noPicture) }
        try await run { connection throws(PostgresError) in
            try await connection.run(PictureRefuse(picture: picture, now: now))
        }
        return Effect(numbers: [("picture", picture.hex)])
    }

    private func takeDownNote(of player: Player.ID, _ score: UUID) async throws(ActUndone) -> Effect {
        _ = try await found(player, score)
        try await run { connection throws(PostgresError) in
            try await connection.run(ScoreNoteRemove(player: player, score: score))
        }
        return Effect()
    }

    private func player(_ player: Player.ID) async throws(ActUndone) -> PlayerFound.Row {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(PlayerFound(player: player))
        }
        guard let found else { throw .answered(.noPlayer) }
        return found
    }

    /// Makes what another act moved as it was before that act. Nothing but its own effect may stand on the subject.
    private func undo(_ other: UUID, _ player: Player.ID) async throws(ActUndone) -> Effect {
        // It is read again, because another act may have come before the lock was had.
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(ActUndoable(act: other))
        }
        guard let found else { throw .answered(.noAct) }
        if found.isUndone { throw .answered(.conflict(other)) }
        switch found.kind {
        case "hide", "ban": return Effect(changesVisibility: true)
        case "rename":
            // Whoever has taken another name since then keeps it.
            guard let former = found.formerName, try await self.player(player).name == found.name else {
                throw .answered(.conflict(nil))
            }
            return try await rename(player, to: former)
        case "take-down", "undo": throw .answered(.conflict(other))
        case "correct":
            let replacement = try await self.found(player, other)
            guard replacement.state == .counted else { throw .answered(.conflict(nil)) }
            let moved = try await move(player, other, from: .counted, to: .voided)
            var effect = try await unmove(other, player)
            effect.numbers.append(("voided", String(moved.earned)))
            return effect
        default: return try await unmove(other, player)
        }
    }

    private func unmove(_ other: UUID, _ player: Player.ID) async throws(ActUndone) -> Effect {
        let movements = try await run { connection throws(PostgresError) in
            try await connection.rows(ActMovements(player: player, act: other))
        }
        if let moved = movements.first(where: { $0.state != $0.became }) {
            throw .answered(.conflict(moved.newestAct))
        }
        var effect = Effect()
        var earned: Int64 = 0
        for movement in movements {
            if movement.isScore {
                earned += try await move(player, movement.subject, from: movement.became, to: movement.was).earned
                effect.movesScores = true
            } else {
                try await reverse(
                    player,
                    movement.subject,
                    isReversed: movement.was == .reversed,
                    forfeited: movement.restored,
                    restored: movement.forfeited
                )
                effect.movesDonations = true
            }
        }
        effect.numbers = [("earned", String(earned)), ("moved", String(movements.count))]
        return effect
    }
}
