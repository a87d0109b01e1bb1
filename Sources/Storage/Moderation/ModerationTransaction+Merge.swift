import Domain
import FoundationEssentials
import Postgres

// Players who become one, and who part again.
extension ModerationTransaction {
    /// Makes the named player one with another player of its game.
    func merge(_ subject: Subject) async throws(ModerationRollback) -> Effect {
        let (player, survivor) = (subject.named, subject.walletOwner)
        if let merged = try await merged(player) { throw .answered(.conflict(merged.action)) }
        guard player != survivor else { throw .answered(.conflict(nil)) }
        let (one, other) = (try await self.player(player), try await self.player(survivor))
        if one.name.isEmpty { throw try await conflict("erase", on: player) }
        if other.name.isEmpty { throw try await conflict("erase", on: survivor) }
        guard one.game == other.game else { throw .answered(.conflict(nil)) }
        let count = try await members(of: player).count + members(of: survivor).count
        guard count <= Limits.membersOfPlayerMax else { throw .answered(.conflict(nil)) }
        let (moved, kept) = (try await sums(player), try await sums(survivor))
        guard moved.earned <= Limits.walletPointsMax - kept.earned else { throw .answered(.walletFull) }
        let merged = try await members(of: player)
        try await run { connection throws(PostgresError) in
            // Nobody is in two teams.
            if let team = try await connection.firstRow(TeamOwn(player: survivor))?.id,
                let other = try await connection.firstRow(TeamOwn(player: player))?.id, team != other
            {
                try await connection.leaveTeams(of: merged, now: now)
            }
            try await connection.run(PlayerMerge(player: player, survivor: survivor, action: action.id, now: now))
        }
        return Effect(
            values: [("into", String(survivor.rawValue)), ("earned", String(moved.earned))], movesScores: true,
            movesDonations: true, changesVisibility: true, others: [survivor], daysOf: try await members(of: survivor))
    }

    /// Parts a player from the one with whom it was made one, who must not be one with yet another player by now.
    func part(_ subject: Subject, merged by: UUID) async throws(ModerationRollback) -> Effect {
        let (player, survivor) = (subject.named, subject.walletOwner)
        guard let merged = try await merged(player), merged.action == by else {
            throw try await conflict("merge", on: player)
        }
        if merged.into != merged.survivor { throw .answered(.conflict(try await self.merged(merged.into)?.action)) }
        let members = try await members(of: survivor)
        try await run { connection throws(PostgresError) in
            try await connection.run(PlayerPart(player: player, survivor: survivor))
            for wallet in [player, survivor] { try await connection.run(WalletRecompute(player: wallet)) }
        }
        let moved = try await sums(player)
        return Effect(
            values: [("from", String(survivor.rawValue)), ("earned", String(moved.earned))], movesScores: true,
            movesDonations: true, changesVisibility: true, others: [player], daysOf: members)
    }

    private func merged(_ player: Player.ID) async throws(ModerationRollback) -> MergeFind.Row? {
        try await run { connection throws(PostgresError) in try await connection.firstRow(MergeFind(player: player)) }
    }

    /// Everybody who is one with a player, itself too.
    func members(of survivor: Player.ID) async throws(ModerationRollback) -> [Player.ID] {
        try await run { connection throws(PostgresError) in try await connection.rows(MembersFind(survivor: survivor)) }
    }
}
