import Domain
import FoundationEssentials
import Postgres

// Actions on teams. No wallet is locked; the team is.
extension ModerationTransaction {
    /// The team that the action is about, if it is about one.
    func findTeam() async throws(ModerationRollback) -> Team.ID? {
        switch action.kind {
        case .renameTeam(let team, _), .hideTeam(let team): return team
        case .clearItem(let item): return try await findTeam(undone: nil, item: item)
        case .undo(let other): return try await findTeam(undone: other, item: nil)
        default: return nil
        }
    }

    private func findTeam(undone: UUID?, item: UUID?) async throws(ModerationRollback) -> Team.ID? {
        try await run { connection throws(PostgresError) in
            try await connection.firstRow(ActionTeamFind(action: action.id, undone: undone, item: item))
        }
    }

    func perform(on team: Team.ID) async throws(ModerationRollback) -> ModerationReceipt {
        let (locked, known) = try await run { connection throws(PostgresError) in
            (
                try await connection.rows(TeamsLock(teams: [team])),
                try await connection.firstRow(ActionFind(action: action.id))
            )
        }
        if let known { throw .answered(repeated(known, team)) }
        guard locked == [team] else { throw .answered(.noTeam) }
        let effect = try await effect(on: team)
        let log = LogWriter(
            at: now, action: action.id, actor: actor, kind: action.kind.name, subject: text(of: team),
            values: effect.values, words: LogWords(reason: action.reason.description, name: effect.name),
            former: effect.former)
        try await run { connection throws(PostgresError) in
            let entry = try await log.write(on: connection)
            try await connection.run(
                ActionAdd(
                    action: action, player: nil, into: nil, owner: nil, team: team, before: .zero, after: .zero,
                    entry: entry, now: now))
            if effect.changesVisibility { try await connection.run(TeamHide(team: team)) }
        }
        return receipt(of: team, at: now, by: actor)
    }

    private func effect(on team: Team.ID) async throws(ModerationRollback) -> Effect {
        switch action.kind {
        case .renameTeam(_, let name):
            return try await rename(
                team, to: name.description, waiting: WaitingName(name: nil, since: nil, nextWaits: true))
        case .hideTeam: return Effect(changesVisibility: true)
        case .clearItem(let item): return try await clear(item, of: team)
        case .undo(let other): return try await undo(other, on: team)
        default: throw .answered(.noTeam)
        }
    }

    /// - Parameter waiting: The name that waits from then on.
    private func rename(_ team: Team.ID, to name: String, waiting: WaitingName) async throws(ModerationRollback)
        -> Effect
    {
        let found = try await found(team)
        guard found.name != name else { throw try await conflict("rename", on: team) }
        try await run { connection throws(PostgresError) in
            try await connection.run(
                TeamNameSet(
                    team: team, name: name, nextWaits: waiting.nextWaits, askedName: waiting.name,
                    askedAt: waiting.since))
        }
        return Effect(name: name, former: FormerName(name: found.name, waiting: found.waiting))
    }

    /// Approves a name, or dismisses reports.
    private func clear(_ item: UUID, of team: Team.ID) async throws(ModerationRollback) -> Effect {
        // It is looked for again, because it may have been decided before the lock was had.
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(QueueItemFind(item: item))
        }
        guard let found, found.team == team else { throw .answered(.noItem) }
        try await run { connection throws(PostgresError) in
            if found.kind == .teamName {
                try await connection.run(TeamNameApprove(team: team))
            } else {
                try await connection.run(TeamReportsDismiss(team: team, action: action.id))
            }
        }
        return Effect(values: [("kind", found.kind.rawValue)])
    }

    private func undo(_ other: UUID, on team: Team.ID) async throws(ModerationRollback) -> Effect {
        let undoable = try await run { connection throws(PostgresError) in
            try await connection.firstRow(ActionUndoable(action: other))
        }
        guard let undoable else { throw .answered(.noAction) }
        if undoable.isUndone { throw .answered(.conflict(other)) }
        switch undoable.kind {
        case "hide": return Effect(changesVisibility: true)
        case "rename":
            // A name that came since then stays, and one that waits since then goes on.
            let known = try await found(team)
            guard let former = undoable.formerName, known.name == undoable.name else {
                throw try await conflict("rename", on: team)
            }
            let waited = known.waiting.name == nil ? undoable.formerWaiting : known.waiting
            return try await rename(
                team, to: former,
                waiting: WaitingName(
                    name: waited.name, since: waited.since, nextWaits: undoable.formerWaiting.nextWaits))
        case "clear":
            let restored = try await run { connection throws(PostgresError) in
                try await connection.row(TeamReportsRestore(action: other))
            }
            guard restored > 0 else { throw .answered(.conflict(other)) }
            return Effect(values: [("reports", String(restored))])
        default: throw .answered(.conflict(other))
        }
    }

    private func found(_ team: Team.ID) async throws(ModerationRollback) -> (name: String, waiting: WaitingName) {
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(TeamFound(team: team))
        }
        guard let found else { throw .answered(.noTeam) }
        return (found.name, WaitingName(name: found.askedName, since: found.askedAt, nextWaits: found.nextWaits))
    }

    /// A conflict that names the last action of a kind on a team.
    private func conflict(_ kind: String, on team: Team.ID) async throws(ModerationRollback) -> ModerationRollback {
        let newest = try await run { connection throws(PostgresError) in
            try await connection.firstRow(TeamActionNewest(team: team, kind: kind))
        }
        return .answered(.conflict(newest))
    }

    private func repeated(_ known: KnownAction, _ team: Team.ID) -> ModerationOutcome {
        var name: String?
        if case .renameTeam(_, let asked) = action.kind { name = asked.description }
        let words = known.salt.map { LogWords(salt: $0, reason: action.reason.description, name: name).hash }
        guard known.asked == action.kind.askedText, words == nil || words == known.wordsHash else { return .idReused }
        return .repeated(receipt(of: team, at: known.at, by: known.actor))
    }

    /// An undo is logged with the team whose action it undoes.
    private func text(of team: Team.ID) -> String {
        guard case .undo(let other) = action.kind else { return action.kind.subjectText }
        return [("team", String(team.rawValue)), ("act", other.uuidString.lowercased())].canonicalText
    }

    private func receipt(of team: Team.ID, at instant: Instant, by actor: String) -> ModerationReceipt {
        ModerationReceipt(
            id: action.id, kind: action.kind.name, player: nil, subject: text(of: team), at: instant, actor: actor,
            before: .zero, after: .zero, named: (.zero, .zero), funding: [])
    }
}
