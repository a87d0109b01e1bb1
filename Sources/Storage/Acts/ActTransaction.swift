import Domain
import FoundationEssentials
import Postgres

/// The transaction of one act: locks the player, does the deed, proves what is derived, and writes the log.
struct ActTransaction {
    let act: Act
    let actor: String
    let now: Instant
    let connection: Connection

    /// What a deed moved, for the log, and what has to be derived anew.
    struct Effect {
        var numbers: [(String, String)] = []
        var movesScores = false
        var movesDonations = false
        var changesVisibility = false
        var name: String?
        var formerName: String?
    }

    func perform() async throws(ActUndone) -> ActReceipt {
        var undone: UndoableAct?
        if case .undo(let other) = act.deed {
            guard
                let found = try await run({ connection throws(PostgresError) in
                    try await connection.firstRow(ActUndoable(act: other))
                })
            else { throw .answered(.noAct) }
            undone = found
        }
        guard let player = act.deed.player ?? undone?.player else { throw .answered(.noPlayer) }
        _ = try await run { connection throws(PostgresError) in
            try await connection.run(TalliesShare())
            return try await connection.rows(CallersLock(callers: [.player(player)]))
        }
        if let known = try await repeated(player) { throw .answered(known) }
        guard let before = try await sums(player) else { throw .answered(.noPlayer) }
        let effect = try await effect(on: player)
        let proof = RollupProof(players: [player], act: act.id, now: now)
        if effect.movesScores {
            try await run { connection throws(PostgresError) in try await proof.proveScores(on: connection) }
        }
        if effect.movesScores || effect.movesDonations {
            try await run { connection throws(PostgresError) in try await proof.proveDonations(on: connection) }
        }
        guard let after = try await sums(player) else { throw .answered(.noPlayer) }
        let words = LogWords(reason: act.reason.description, name: effect.name)
        let log = LogWriter(
            at: now,
            act: act.id,
            actor: actor,
            deed: act.deed.name,
            subject: subject(of: player),
            numbers: effect.numbers,
            words: words,
            formerName: effect.formerName
        )
        try await run { connection throws(PostgresError) in
            let entry = try await log.write(on: connection)
            try await connection.run(
                ActAdd(act: act, player: player, before: before, after: after, entry: entry, now: now)
            )
            if effect.changesVisibility { try await connection.run(PlayerHide(player: player)) }
        }
        return ActReceipt(
            id: act.id,
            deed: act.deed.name,
            player: player,
            subject: subject(of: player),
            at: now,
            actor: actor,
            before: before,
            after: after,
            funding: try await funding(player)
        )
    }

    @discardableResult
    func run<Value>(_ body: (Connection) async throws(PostgresError) -> Value) async throws(ActUndone) -> Value {
        do throws(PostgresError) { return try await body(connection) } catch { throw .failed(error) }
    }

    /// An undo is logged with the player whose act it undoes.
    private func subject(of player: Player.ID) -> String {
        guard case .undo(let other) = act.deed else { return act.deed.subjectText }
        return [("player", String(player.rawValue)), ("act", other.uuidString.lowercased())].canonicalText
    }

    private func sums(_ player: Player.ID) async throws(ActUndone) -> WalletSums? {
        try await run { connection throws(PostgresError) in
            try await connection.firstRow(WalletSumsOf(player: player))
        }
    }

    private func funding(_ player: Player.ID) async throws(ActUndone) -> [FundingChange] {
        try await run { connection throws(PostgresError) in
            try await connection.rows(ActFunding(player: player, act: act.id))
        }
    }

    /// What was answered to the act when it was done before; nil when it was not.
    private func repeated(_ player: Player.ID) async throws(ActUndone) -> ActOutcome? {
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
        return .repeated(
            ActReceipt(
                id: act.id,
                deed: act.deed.name,
                player: player,
                subject: subject(of: player),
                at: known.at,
                actor: known.actor,
                before: known.before,
                after: known.after,
                funding: try await funding(player)
            )
        )
    }
}
