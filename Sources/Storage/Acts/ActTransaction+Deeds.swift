import Domain
import FoundationEssentials
import Postgres

// What each deed changes of the player whose wallet is locked.
extension ActTransaction {
    func effect(on subject: Subject) async throws(ActUndone) -> Effect {
        switch act.deed {
        case .void(_, let score): return try await restate(subject, score, from: nil, to: .voided)
        case .voidAll(_, let heldOnly):
            return try await restateAll(subject, from: heldOnly ? .held : nil, to: .voided)
        case .hold(_, let score): return try await restate(subject, score, from: .counted, to: .held)
        case .clear(_, let score): return try await restate(subject, score, from: .held, to: .counted)
        case .clearItem(let item): return try await clear(item, subject)
        case .clearAll: return try await restateAll(subject, from: .held, to: .counted)
        case .correct(_, let score, let points, let earned):
            return try await correct(subject, score, points: points, earned: earned)
        case .reverse(_, let donation, let forfeits): return try await reverse(subject, donation, forfeits: forfeits)
        case .anonymise(_, let donation): return try await anonymise(subject, donation)
        case .hide: return Effect(changesVisibility: true)
        case .ban(_, let until):
            return Effect(
                numbers: until.map { [("until", $0.rfc3339(.microseconds))] } ?? [],
                changesVisibility: true
            )
        case .rename(_, let name): return try await rename(subject.player, to: name.description, nextWaits: true)
        case .takeDownPicture: return try await takeDownPicture(of: subject.player)
        case .takeDownNote(_, let score): return try await takeDownNote(of: subject, score)
        case .merge: return try await merge(subject)
        case .erase(_, let name): return try await erase(subject, confirming: name)
        case .reset: throw .answered(.noPlayer)
        case .undo(let other): return try await undo(other, subject)
        }
    }

    /// Moves one score.
    /// - Parameter from: Nil for any other state.
    func restate(
        _ subject: Subject,
        _ score: UUID,
        from: LedgerState?,
        to: LedgerState
    ) async throws(ActUndone) -> Effect {
        let found = try await found(subject.named, score)
        guard found.state != to, from == nil || found.state == from else { throw .answered(.conflict(nil)) }
        let row = LedgerRowID(owner: found.owner, id: score)
        let moved = try await move(subject.player, [row], from: from, to: to)
        guard moved.scores > 0 else { throw .answered(.conflict(nil)) }
        return Effect(numbers: [("earned", String(moved.earned))], movesScores: true, owner: found.owner)
    }

    /// Moves all scores that there are in a state.
    /// - Parameter from: Nil for any other state.
    private func restateAll(
        _ subject: Subject,
        from: LedgerState?,
        to: LedgerState
    ) async throws(ActUndone) -> Effect {
        let moved = try await move(subject.player, nil, from: from, to: to)
        guard moved.scores > 0 else { throw .answered(.conflict(nil)) }
        return Effect(
            numbers: [("earned", String(moved.earned)), ("scores", String(moved.scores))],
            movesScores: true
        )
    }

    /// - Parameters:
    ///   - scores: Nil for all.
    ///   - from: Nil for any other state.
    func move(
        _ player: Player.ID,
        _ scores: [LedgerRowID]?,
        from: LedgerState?,
        to: LedgerState
    ) async throws(ActUndone) -> (scores: Int64, earned: Int64) {
        try await run { connection throws(PostgresError) in
            try await connection.row(
                ScoresRestate(player: player, scores: scores, from: from, to: to, act: act.id, now: now)
            )
        }
    }

    func found(_ player: Player.ID, _ score: UUID) async throws(ActUndone) -> ScoreFound.Row {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(ScoreFound(player: player, score: score))
        }
        guard let found else { throw .answered(.noScore) }
        return found
    }

    private func correct(
        _ subject: Subject,
        _ score: UUID,
        points: Int64,
        earned: Int64
    ) async throws(ActUndone) -> Effect {
        let found = try await found(subject.named, score)
        guard found.bounds.contains(points) else { throw .answered(.outOfBounds(found.bounds)) }
        guard found.state != .voided else { throw .answered(.conflict(nil)) }
        let sums = try await sums(subject.player)
        guard earned <= Limits.walletPointsMax - sums.earned else { throw .answered(.walletFull) }
        // What is earned instead comes first, because the wallet is proved after each statement and points that were
        // forfeited may stand on those of the score that is replaced.
        try await run { connection throws(PostgresError) in
            try await connection.run(
                ScoreReplace(
                    player: subject.player,
                    replaced: LedgerRowID(owner: found.owner, id: score),
                    score: act.id,
                    points: points,
                    earned: earned,
                    now: now
                )
            )
        }
        var effect = try await restate(subject, score, from: nil, to: .voided)
        effect.numbers = [
            ("points", String(points)), ("earned", String(earned)), ("voided", String(found.earned)),
        ]
        return effect
    }

    private func reverse(_ subject: Subject, _ donation: UUID, forfeits: Bool) async throws(ActUndone) -> Effect {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(DonationFound(player: subject.named, donation: donation))
        }
        guard let found else { throw .answered(.noDonation) }
        guard !found.isReversed else { throw .answered(.conflict(nil)) }
        // Points that are not behind the donation any more cannot be forfeited.
        let forfeited = forfeits ? found.points - found.unfunded : 0
        let row = LedgerRowID(owner: found.owner, id: donation)
        try await reverse(subject.player, row, isReversed: true, forfeited: forfeited, restored: 0)
        return Effect(
            numbers: [("points", String(found.points)), ("forfeited", String(forfeited))],
            movesDonations: true,
            reversals: [(row, true)],
            owner: found.owner
        )
    }

    func reverse(
        _ player: Player.ID,
        _ donation: LedgerRowID,
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

    /// Lets nobody know from now on who gave a donation.
    private func anonymise(_ subject: Subject, _ donation: UUID) async throws(ActUndone) -> Effect {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(DonationFound(player: subject.named, donation: donation))
        }
        guard let found else { throw .answered(.noDonation) }
        guard !found.isAnonymous else { throw .answered(.conflict(nil)) }
        let row = LedgerRowID(owner: found.owner, id: donation)
        try await run { connection throws(PostgresError) in
            try await connection.run(DonationAnonymise(donation: row))
        }
        return Effect(movesDonations: true, owner: found.owner)
    }

    func rename(_ player: Player.ID, to name: String, nextWaits: Bool) async throws(ActUndone) -> Effect {
        let found = try await self.player(player)
        guard found.name != name, !found.name.isEmpty else { throw .answered(.conflict(nil)) }
        try await run { connection throws(PostgresError) in
            try await connection.run(PlayerRename(player: player, name: name, nextWaits: nextWaits))
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

    private func takeDownNote(of subject: Subject, _ score: UUID) async throws(ActUndone) -> Effect {
        let row = LedgerRowID(owner: try await found(subject.named, score).owner, id: score)
        try await run { connection throws(PostgresError) in try await connection.run(ScoreNoteRemove(score: row)) }
        return Effect()
    }

    func player(_ player: Player.ID) async throws(ActUndone) -> PlayerFound.Row {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(PlayerFound(player: player))
        }
        guard let found else { throw .answered(.noPlayer) }
        return found
    }
}
