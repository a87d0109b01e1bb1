import Domain
import FoundationEssentials
import Postgres

/// The transaction of one action: locks the player, carries out the action, recomputes what is derived, and writes the
/// log.
struct ModerationTransaction {
    let action: ModerationAction
    let actor: String
    let now: Instant
    let connection: Connection

    /// Whom an action is about.
    struct Subject {
        /// The player that it names.
        let named: Player.ID
        /// The player into whom that one is merged, or was by the action that is undone; nil for other actions.
        let into: Player.ID?
        /// Whom the named player is by now, whose wallet is locked.
        var player: Player.ID
        /// Whose wallet the receipt shows.
        var walletOwner: Player.ID
        /// For whom else count the rows that the action moved that is undone.
        var others: Set<Player.ID>
    }

    /// What an action moved, for the log, and what has to be derived anew.
    struct Effect {
        var values: [(String, String)] = []
        var movesScores = false
        var movesDonations = false
        /// Donations that were taken back, or are donated again.
        var reversals: [(row: LedgerRowID, isReversed: Bool)] = []
        var changesVisibility = false
        var name: String?
        var former: FormerName?
        /// Whose words in the log are erased.
        var erased: [Player.ID] = []
        /// Whose row the score or the donation is.
        var owner: Player.ID?
        /// Whose rows are derived anew, beside the player's.
        var others: [Player.ID] = []
        /// On whose days they may have rows, because they were one.
        var daysOf: [Player.ID] = []
    }

    func perform() async throws(ModerationRollback) -> ModerationReceipt {
        if case .reset(let game, let board, let season) = action.kind {
            return try await reset(board, in: game, ending: season)
        }
        if let team = try await findTeam() { return try await perform(on: team) }
        let subject = try await lockedSubject()
        if let known = try await repeated(subject) { throw .answered(known) }
        let before = try await sums(subject.walletOwner)
        let namedBefore = try await donatedByName(subject.walletOwner)
        let effect = try await effect(on: subject)
        let players = [subject.player] + effect.others
        let recomputation = RollupRecomputation(
            players: players, action: action.id, now: now, daysOf: effect.daysOf, reversals: effect.reversals)
        if effect.movesScores {
            try await run { connection throws(PostgresError) in try await recomputation.recomputeScores(on: connection)
            }
        }
        if effect.movesScores || effect.movesDonations {
            try await run { connection throws(PostgresError) in
                try await recomputation.recomputeDonations(on: connection)
            }
        }
        let after = try await sums(subject.walletOwner)
        let namedAfter = try await donatedByName(subject.walletOwner)
        let log = LogWriter(
            at: now, action: action.id, actor: actor, kind: action.kind.name, subject: text(of: subject),
            values: effect.values, words: LogWords(reason: action.reason.description, name: effect.name),
            former: effect.former)
        try await run { connection throws(PostgresError) in
            if effect.changesVisibility { _ = try await connection.rows(PlayersLock(players: players)) }
            let entry = try await log.write(on: connection)
            try await connection.run(
                ActionAdd(
                    action: action, player: subject.named, into: subject.into, owner: effect.owner, before: before,
                    after: after, entry: entry, now: now))
            if !effect.erased.isEmpty { try await connection.run(LogWordsErase(players: effect.erased)) }
            if effect.changesVisibility {
                for player in players { try await connection.run(PlayerHide(player: player)) }
            }
        }
        let named = (before: namedBefore, after: namedAfter)
        return receipt(subject, at: now, by: actor, before, after, named, try await funding())
    }

    @discardableResult func run<Value>(_ body: (Connection) async throws(PostgresError) -> Value)
        async throws(ModerationRollback) -> Value
    { do throws(PostgresError) { return try await body(connection) } catch { throw .failed(error) } }

    /// Finds whom the action is about, and locks the wallets that it may change.
    private func lockedSubject() async throws(ModerationRollback) -> Subject {
        var undone: UndoableAction?
        if case .undo(let other) = action.kind {
            undone = try await run { connection throws(PostgresError) in
                try await connection.firstRow(ActionUndoable(action: other))
            }
            if undone == nil { throw .answered(.noAction) }
        }
        var named = action.kind.player ?? undone?.player
        if case .clearItem(let item) = action.kind { named = try await player(ofItem: item) }
        guard let named else { throw .answered(undone == nil ? .noPlayer : .conflict(action.kind.subject)) }
        var into = undone?.into
        if case .merge(_, let survivor) = action.kind { into = survivor }
        var asked = Set([named] + (into.map { [$0] } ?? []))
        if case .undo(let other) = action.kind {
            // Its rows may count for several players by now, who parted since then.
            asked.formUnion(
                try await run { connection throws(PostgresError) in
                    try await connection.rows(ActionOwners(action: other))
                })
        }
        let survivors = try await run { connection throws(PostgresError) in
            try await connection.lockSurvivors(of: asked)
        }
        guard let survivors else { throw .answered(.conflict(nil)) }
        guard let player = survivors[named] else { throw .answered(.noPlayer) }
        var walletOwner = player
        if let into {
            guard let survivor = survivors[into] else { throw .answered(.noPlayer) }
            walletOwner = survivor
        }
        return Subject(
            named: named, into: into, player: player, walletOwner: walletOwner,
            others: Set(survivors.values).subtracting([player]))
    }

    /// The player of what waits in the queue, or of the action that has decided it under this id.
    private func player(ofItem item: UUID) async throws(ModerationRollback) -> Player.ID {
        let (items, known) = try await run { connection throws(PostgresError) in
            try await connection.pipeline(QueueItemFind(item: item), ActionFind(action: action.id))
        }
        guard let player = items.first?.player ?? known.first?.player else { throw .answered(.noItem) }
        return player
    }

    /// An undo is logged with the player whose action it undoes.
    private func text(of subject: Subject) -> String {
        guard case .undo(let other) = action.kind else { return action.kind.subjectText }
        return [("player", String(subject.named.rawValue)), ("act", other.uuidString.lowercased())].canonicalText
    }

    func sums(_ player: Player.ID) async throws(ModerationRollback) -> WalletSums {
        let sums = try await run { connection throws(PostgresError) in
            try await connection.firstRow(WalletSumsOf(player: player))
        }
        guard let sums else { throw .answered(.noPlayer) }
        return sums
    }

    private func donatedByName(_ walletOwner: Player.ID) async throws(ModerationRollback) -> DonatedByName {
        try await run { connection throws(PostgresError) in try await connection.donatedByName(of: walletOwner) }
    }

    private func funding() async throws(ModerationRollback) -> [FundingChange] {
        try await run { connection throws(PostgresError) in try await connection.rows(ActionFunding(action: action.id))
        }
    }

    private func receipt(
        _ subject: Subject, at instant: Instant, by actor: String, _ before: WalletSums, _ after: WalletSums,
        _ named: (before: DonatedByName, after: DonatedByName), _ funding: [FundingChange]
    ) -> ModerationReceipt {
        ModerationReceipt(
            id: action.id, kind: action.kind.name, player: subject.named, subject: text(of: subject), at: instant,
            actor: actor, before: before, after: after, named: named, funding: funding)
    }

    /// What was answered to the action when it was done before; nil when it was not.
    private func repeated(_ subject: Subject) async throws(ModerationRollback) -> ModerationOutcome? {
        let known = try await run { connection throws(PostgresError) in
            try await connection.firstRow(ActionFind(action: action.id))
        }
        guard let known else { return nil }
        var name: String?
        if case .rename(_, let asked) = action.kind { name = asked.description }
        // Words that were erased cannot be compared.
        let hasSameWords = known.salt.map {
            LogWords(salt: $0, reason: action.reason.description, name: name).hash == known.wordsHash
        }
        guard known.asked == action.kind.askedText, hasSameWords ?? true else { return .idReused }
        let named = try await run { connection throws(PostgresError) in
            try await connection.donatedByName(around: known.entry, at: known.at, of: subject.walletOwner)
        }
        return .repeated(
            receipt(subject, at: known.at, by: known.actor, known.before, known.after, named, try await funding()))
    }
}
