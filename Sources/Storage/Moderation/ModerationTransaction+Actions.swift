import Domain
import FoundationEssentials
import Postgres

// What each action changes of the player whose wallet is locked.
extension ModerationTransaction {
    func effect(on subject: Subject) async throws(ModerationRollback) -> Effect {
        switch action.kind {
        case .void(_, let score): return try await restate(subject, score, from: nil, to: .voided)
        case .voidAll(_, let heldOnly): return try await restateAll(subject, from: heldOnly ? .held : nil, to: .voided)
        case .hold(_, let score): return try await restate(subject, score, from: .counted, to: .held)
        case .clear(_, let score): return try await clear(subject, score)
        case .clearItem(let item): return try await clear(item, subject)
        case .clearAll: return try await restateAll(subject, from: .held, to: .counted)
        case .correct(_, let score, let points, let earned):
            return try await correct(subject, score, points: points, earned: earned)
        case .reverse(_, let donation, let forfeits): return try await reverse(subject, donation, forfeits: forfeits)
        case .anonymise(_, let donation): return try await anonymise(subject, donation)
        case .hide: return Effect(changesVisibility: true)
        case .ban(_, let until):
            return Effect(values: until.map { [("until", $0.rfc3339(.microseconds))] } ?? [], changesVisibility: true)
        case .rename(_, let name):
            let waiting = WaitingName(name: nil, since: nil, nextWaits: true)
            return try await rename(subject.player, to: name.description, waiting: waiting)
        case .takeDownPicture: return try await takeDownPicture(of: subject.player)
        case .takeDownNote(_, let score): return try await takeDownNote(of: subject, score)
        case .grant(_, let award):
            let outcome = try await run { connection throws(PostgresError) in
                try await connection.grant(award, to: subject.player, in: nil, now: now)
            }
            return try effect(of: outcome, award)
        case .withdraw(_, let award):
            let outcome = try await run { connection throws(PostgresError) in
                try await connection.withdraw(award, from: subject.player)
            }
            return try effect(of: outcome, award)
        case .merge: return try await merge(subject)
        case .erase(_, let name): return try await erase(subject, confirming: name)
        case .reset, .renameTeam, .hideTeam: throw .answered(.noPlayer)
        case .undo(let other): return try await undo(other, subject)
        }
    }

    private func effect(of outcome: AwardOutcome, _ award: Slug) throws(ModerationRollback) -> Effect {
        switch outcome {
        case .granted, .withdrawn: return Effect(values: [("award", award.description)])
        case .known: throw .answered(.conflict(nil))
        case .otherRule: throw .answered(.notGranted)
        case .noAward: throw .answered(.noAward)
        case .noPlayer: throw .answered(.noPlayer)
        }
    }

    /// Moves one score.
    /// - Parameter from: Nil for any other state.
    func restate(_ subject: Subject, _ score: UUID, from: LedgerState?, to: LedgerState)
        async throws(ModerationRollback) -> Effect
    {
        let found = try await found(subject.named, score)
        let row = LedgerRowID(owner: found.owner, id: score)
        guard found.state != to, from == nil || found.state == from else { throw try await conflict(on: row) }
        let moved = try await move(subject.player, [row], from: from, to: to)
        guard moved.scores > 0 else { throw try await conflict(on: row) }
        return Effect(values: [("earned", String(moved.earned))], movesScores: true, owner: found.owner)
    }

    /// Ends the hold of a score. It lets one count, too, that its game voided: no action has done that, so there is
    /// none to undo.
    private func clear(_ subject: Subject, _ score: UUID) async throws(ModerationRollback) -> Effect {
        let found = try await found(subject.named, score)
        let row = LedgerRowID(owner: found.owner, id: score)
        let newest = try await newestCorrection(row)
        let isGames = found.state == .voided && newest?.action == nil && newest?.kind == "void"
        return try await restate(subject, score, from: isGames ? .voided : .held, to: .counted)
    }

    private func newestCorrection(_ row: LedgerRowID) async throws(ModerationRollback) -> CorrectionNewest.Row? {
        try await run { connection throws(PostgresError) in
            try await connection.firstRow(CorrectionNewest(player: row.owner, subject: row.id))
        }
    }

    /// A conflict that names the action by which a score or a donation is as it is, if one is.
    func conflict(on row: LedgerRowID) async throws(ModerationRollback) -> ModerationRollback {
        .answered(.conflict(try await newestCorrection(row)?.action))
    }

    /// A conflict that names the last action of a kind on a player.
    /// - Parameter subject: What it was about; nil for anything.
    func conflict(_ kind: String, on player: Player.ID, about subject: UUID? = nil) async throws(ModerationRollback)
        -> ModerationRollback
    {
        let newest = try await run { connection throws(PostgresError) in
            try await connection.firstRow(ActionNewest(player: player, kind: kind, subject: subject))
        }
        return .answered(.conflict(newest))
    }

    /// Moves all scores that there are in a state.
    /// - Parameter from: Nil for any other state.
    private func restateAll(_ subject: Subject, from: LedgerState?, to: LedgerState) async throws(ModerationRollback)
        -> Effect
    {
        let moved = try await move(subject.player, nil, from: from, to: to)
        guard moved.scores > 0 else {
            let newest = try await run { connection throws(PostgresError) in
                try await connection.firstRow(CorrectionNewest(player: subject.player, subject: nil))
            }
            throw .answered(.conflict(newest?.action))
        }
        return Effect(values: [("earned", String(moved.earned)), ("scores", String(moved.scores))], movesScores: true)
    }

    /// - Parameters:
    ///   - scores: Nil for all.
    ///   - from: Nil for any other state.
    func move(_ player: Player.ID, _ scores: [LedgerRowID]?, from: LedgerState?, to: LedgerState)
        async throws(ModerationRollback) -> (scores: Int64, earned: Int64)
    {
        try await run { connection throws(PostgresError) in
            try await connection.row(
                ScoresRestate(player: player, scores: scores, from: from, to: to, action: action.id, now: now))
        }
    }

    func found(_ player: Player.ID, _ score: UUID) async throws(ModerationRollback) -> ScoreFound.Row {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(ScoreFound(player: player, score: score))
        }
        guard let found else { throw .answered(.noScore) }
        return found
    }

    private func correct(_ subject: Subject, _ score: UUID, points: Int64, earned: Int64)
        async throws(ModerationRollback) -> Effect
    {
        let found = try await found(subject.named, score)
        guard found.bounds.contains(points) else { throw .answered(.outOfBounds(found.bounds)) }
        let row = LedgerRowID(owner: found.owner, id: score)
        guard found.state != .voided else { throw try await conflict(on: row) }
        // What takes its place would tell the owner that it is held.
        guard found.state != .held || found.secretUntil.map({ $0 <= now }) ?? true else {
            throw try await conflict(on: row)
        }
        let sums = try await sums(subject.player)
        guard earned <= Limits.walletPointsMax - sums.earned else { throw .answered(.walletFull) }
        // What is earned instead comes first, because the wallet is checked after each statement and points that were
        // forfeited may stand on those of the score that is replaced.
        try await run { connection throws(PostgresError) in
            try await connection.run(
                ScoreReplace(
                    player: subject.player, replaced: row, score: action.id, points: points, earned: earned, now: now))
        }
        var effect = try await restate(subject, score, from: nil, to: .voided)
        effect.values = [("points", String(points)), ("earned", String(earned)), ("voided", String(found.earned))]
        return effect
    }

    private func reverse(_ subject: Subject, _ donation: UUID, forfeits: Bool) async throws(ModerationRollback)
        -> Effect
    {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(DonationFound(player: subject.named, donation: donation))
        }
        guard let found else { throw .answered(.noDonation) }
        let row = LedgerRowID(owner: found.owner, id: donation)
        guard !found.isReversed else { throw try await conflict(on: row) }
        // Points that are not behind the donation any more cannot be forfeited.
        let forfeited = forfeits ? found.points - found.unfunded : 0
        try await reverse(subject.player, row, isReversed: true, forfeited: forfeited, restored: 0)
        return Effect(
            values: [("points", String(found.points)), ("forfeited", String(forfeited))], movesDonations: true,
            reversals: [(row, true)], owner: found.owner)
    }

    func reverse(_ player: Player.ID, _ donation: LedgerRowID, isReversed: Bool, forfeited: Int64, restored: Int64)
        async throws(ModerationRollback)
    {
        let query = DonationReverse(
            player: player, donation: donation, isReversed: isReversed, forfeited: forfeited, restored: restored,
            action: action.id, now: now)
        try await run { connection throws(PostgresError) in try await connection.run(query) }
    }

    /// Lets nobody know from now on who made a donation.
    private func anonymise(_ subject: Subject, _ donation: UUID) async throws(ModerationRollback) -> Effect {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(DonationFound(player: subject.named, donation: donation))
        }
        guard let found else { throw .answered(.noDonation) }
        guard !found.isAnonymous else { throw try await conflict("anonymise", on: subject.named, about: donation) }
        let row = LedgerRowID(owner: found.owner, id: donation)
        try await run { connection throws(PostgresError) in try await connection.run(DonationAnonymise(donation: row)) }
        return Effect(movesDonations: true, owner: found.owner)
    }

    /// - Parameter waiting: The name that waits from then on.
    func rename(_ player: Player.ID, to name: String, waiting: WaitingName) async throws(ModerationRollback) -> Effect {
        let found = try await self.player(player)
        guard !found.name.isEmpty else { throw try await conflict("erase", on: player) }
        guard found.name != name else { throw try await conflict("rename", on: player) }
        try await run { connection throws(PostgresError) in
            try await connection.run(PlayerRename(player: player, name: name, waiting: waiting))
        }
        return Effect(name: name, former: FormerName(name: found.name, waiting: found.waiting))
    }

    private func takeDownPicture(of player: Player.ID) async throws(ModerationRollback) -> Effect {
        guard let picture = try await self.player(player).avatar else { throw .answered(.noPicture) }
        try await run { connection throws(PostgresError) in
            try await connection.run(PictureRefuse(picture: picture, now: now))
        }
        return Effect(values: [("picture", picture.hex)])
    }

    private func takeDownNote(of subject: Subject, _ score: UUID) async throws(ModerationRollback) -> Effect {
        let row = LedgerRowID(owner: try await found(subject.named, score).owner, id: score)
        try await run { connection throws(PostgresError) in try await connection.run(ScoreNoteRemove(score: row)) }
        return Effect()
    }

    func player(_ player: Player.ID) async throws(ModerationRollback) -> PlayerFound.Row {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(PlayerFound(player: player))
        }
        guard let found else { throw .answered(.noPlayer) }
        return found
    }
}
