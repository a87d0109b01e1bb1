import Domain
import FoundationEssentials
import Postgres

/// The transaction of one act: locks the player, does the deed, proves what is derived, and writes the log.
struct ActTransaction {
    let act: Act
    let actor: String
    let now: Instant
    let connection: Connection

    /// Whom an act is about.
    struct Subject {
        /// The player that it names.
        let named: Player.ID
        /// The player into whom that one is merged, or was by the act that is undone; nil for other acts.
        let into: Player.ID?
        /// Whom the named player is by now, whose wallet is locked.
        var player: Player.ID
        /// Whose wallet the receipt shows.
        var walletOwner: Player.ID
        /// For whom else count the rows that the act moved that is undone.
        var others: Set<Player.ID>
    }

    /// What a deed moved, for the log, and what has to be derived anew.
    struct Effect {
        var values: [(String, String)] = []
        var movesScores = false
        var movesDonations = false
        /// Donations that were taken back, or are given again.
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

    func perform() async throws(ActUndone) -> ActReceipt {
        if case .reset(let game, let board) = act.deed { return try await reset(board, in: game) }
        let subject = try await lockedSubject()
        if let known = try await repeated(subject) { throw .answered(known) }
        let before = try await sums(subject.walletOwner)
        let namedBefore = try await givenByName(subject.walletOwner)
        let effect = try await effect(on: subject)
        let players = [subject.player] + effect.others
        let proof = RollupProof(
            players: players,
            act: act.id,
            now: now,
            daysOf: effect.daysOf,
            reversals: effect.reversals
        )
        if effect.movesScores {
            try await run { connection throws(PostgresError) in try await proof.proveScores(on: connection) }
        }
        if effect.movesScores || effect.movesDonations {
            try await run { connection throws(PostgresError) in try await proof.proveDonations(on: connection) }
        }
        let after = try await sums(subject.walletOwner)
        let namedAfter = try await givenByName(subject.walletOwner)
        let log = LogWriter(
            at: now,
            act: act.id,
            actor: actor,
            deed: act.deed.name,
            subject: text(of: subject),
            values: effect.values,
            words: LogWords(reason: act.reason.description, name: effect.name),
            former: effect.former
        )
        try await run { connection throws(PostgresError) in
            if effect.changesVisibility { _ = try await connection.rows(PlayersLock(players: players)) }
            let entry = try await log.write(on: connection)
            try await connection.run(
                ActAdd(
                    act: act,
                    player: subject.named,
                    into: subject.into,
                    owner: effect.owner,
                    before: before,
                    after: after,
                    entry: entry,
                    now: now
                )
            )
            if !effect.erased.isEmpty { try await connection.run(LogWordsErase(players: effect.erased)) }
            if effect.changesVisibility {
                for player in players { try await connection.run(PlayerHide(player: player)) }
            }
        }
        let named = (before: namedBefore, after: namedAfter)
        return receipt(subject, at: now, by: actor, before, after, named, try await funding())
    }

    @discardableResult
    func run<Value>(_ body: (Connection) async throws(PostgresError) -> Value) async throws(ActUndone) -> Value {
        do throws(PostgresError) { return try await body(connection) } catch { throw .failed(error) }
    }

    /// Finds whom the act is about, and locks the wallets that it may change.
    private func lockedSubject() async throws(ActUndone) -> Subject {
        var undone: UndoableAct?
        if case .undo(let other) = act.deed {
            undone = try await run { connection throws(PostgresError) in
                try await connection.firstRow(ActUndoable(act: other))
            }
            if undone == nil { throw .answered(.noAct) }
        }
        var named = act.deed.player ?? undone?.player
        if case .clearItem(let item) = act.deed { named = try await player(ofItem: item) }
        guard let named else { throw .answered(undone == nil ? .noPlayer : .conflict(act.deed.subject)) }
        var into = undone?.into
        if case .merge(_, let survivor) = act.deed { into = survivor }
        var asked = Set([named] + (into.map { [$0] } ?? []))
        if case .undo(let other) = act.deed {
            // Its rows may count for several players by now, who parted since then.
            asked.formUnion(
                try await run { connection throws(PostgresError) in try await connection.rows(ActOwners(act: other)) }
            )
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
            named: named,
            into: into,
            player: player,
            walletOwner: walletOwner,
            others: Set(survivors.values).subtracting([player])
        )
    }

    /// The player of what waits in the queue, or of the act that has decided it under this id.
    private func player(ofItem item: UUID) async throws(ActUndone) -> Player.ID {
        let (items, known) = try await run { connection throws(PostgresError) in
            try await connection.pipeline(QueueItemFind(item: item), ActFind(act: act.id))
        }
        guard let player = items.first?.player ?? known.first?.player else { throw .answered(.noItem) }
        return player
    }

    /// An undo is logged with the player whose act it undoes.
    private func text(of subject: Subject) -> String {
        guard case .undo(let other) = act.deed else { return act.deed.subjectText }
        return [("player", String(subject.named.rawValue)), ("act", other.uuidString.lowercased())].canonicalText
    }

    func sums(_ player: Player.ID) async throws(ActUndone) -> WalletSums {
        let sums = try await run { connection throws(PostgresError) in
            try await connection.firstRow(WalletSumsOf(player: player))
        }
        guard let sums else { throw .answered(.noPlayer) }
        return sums
    }

    private func givenByName(_ walletOwner: Player.ID) async throws(ActUndone) -> GivenByName {
        try await run { connection throws(PostgresError) in try await connection.givenByName(of: walletOwner) }
    }

    private func funding() async throws(ActUndone) -> [FundingChange] {
        try await run { connection throws(PostgresError) in try await connection.rows(ActFunding(act: act.id)) }
    }

    private func receipt(
        _ subject: Subject,
        at instant: Instant,
        by actor: String,
        _ before: WalletSums,
        _ after: WalletSums,
        _ named: (before: GivenByName, after: GivenByName),
        _ funding: [FundingChange]
    ) -> ActReceipt {
        ActReceipt(
            id: act.id,
            deed: act.deed.name,
            player: subject.named,
            subject: text(of: subject),
            at: instant,
            actor: actor,
            before: before,
            after: after,
            named: named,
            funding: funding
        )
    }

    /// What was answered to the act when it was done before; nil when it was not.
    private func repeated(_ subject: Subject) async throws(ActUndone) -> ActOutcome? {
        let known = try await run { connection throws(PostgresError) in
            try await connection.firstRow(ActFind(act: act.id))
        }
        guard let known else { return nil }
        var name: String?
        if case .rename(_, let asked) = act.deed { name = asked.description }
        // Words that were erased cannot be compared.
        let hasSameWords = known.salt.map {
            LogWords(salt: $0, reason: act.reason.description, name: name).hash == known.wordsHash
        }
        guard known.asked == act.deed.askedText, hasSameWords ?? true else { return .idReused }
        let named = try await run { connection throws(PostgresError) in
            try await connection.givenByName(around: known.entry, at: known.at, of: subject.walletOwner)
        }
        return .repeated(
            receipt(subject, at: known.at, by: known.actor, known.before, known.after, named, try await funding())
        )
    }
}
