import Domain
import FoundationEssentials
import Postgres

// Players who are erased, and names and reports that were waiting.
extension ModerationTransaction {
    /// Takes away everything that tells who the player is, and those who are one with it. What is held is voided.
    /// - Parameter name: What the player calls itself, or is called; said as a confirmation.
    func erase(_ subject: Subject, confirming name: String) async throws(ModerationRollback) -> Effect {
        let found = try await player(subject.player)
        guard !found.name.isEmpty else { throw try await conflict("erase", on: subject.player) }
        // Names are stored in one form, so bytes tell whether it is the same. Comparing texts that a client wrote takes
        // time that grows with the square of their length.
        let confirmed = name.utf8.count <= Limits.nameBytesMax ? Array(name.nameForm.utf8) : []
        guard [found.ownName, found.name].contains(where: { $0.utf8.elementsEqual(confirmed) }) else {
            throw .answered(.notConfirmed)
        }
        let players = try await members(of: subject.player)
        let voided = try await move(subject.player, nil, from: .held, to: .voided)
        try await run { connection throws(PostgresError) in
            // Whoever reports one of them just now has done so before, or comes too late.
            _ = try await connection.rows(PlayersLock(players: players))
            try await connection.leaveTeams(of: players, now: now)
            _ = try await connection.rows(ChallengesLock(players: players))
            try await connection.eraseAwards(of: players)
            try await connection.run(PlayerErase(players: players, receipt: action.id, now: now))
        }
        return Effect(
            values: [("players", String(players.count)), ("voided", String(voided.earned))],
            movesScores: voided.scores > 0, erased: players)
    }

    /// Approves a name, dismisses reports, or lets a score count that is held.
    func clear(_ item: UUID, _ subject: Subject) async throws(ModerationRollback) -> Effect {
        // It is looked for again, because it may have been decided before the lock was had.
        let found = try await run { connection throws(PostgresError) in
            try await connection.firstRow(QueueItemFind(item: item))
        }
        guard let found else { throw .answered(.noItem) }
        switch found.kind {
        case .name:
            try await run { connection throws(PostgresError) in
                try await connection.run(NameApprove(player: subject.named))
            }
        case .report:
            try await run { connection throws(PostgresError) in
                try await connection.run(ReportsDismiss(player: subject.named, action: action.id))
            }
        case .teamName, .teamReport: throw .answered(.noItem)
        case .held:
            guard let score = found.score else { throw .answered(.noItem) }
            var effect = try await restate(subject, score, from: .held, to: .counted)
            effect.values.append(("kind", found.kind.rawValue))
            return effect
        }
        return Effect(values: [("kind", found.kind.rawValue)])
    }
}
