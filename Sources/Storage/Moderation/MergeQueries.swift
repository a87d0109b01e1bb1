import Domain
import FoundationEssentials
import Postgres
import Statements

// The statements that make players one, and part them again.

extension Connection {
    /// Locks the wallets of some players and of those with whom they are one, in the order in which everybody locks
    /// them, and brings whom each of them is by now. One who does not exist is left out.
    /// - Returns: Nil when players became one again and again meanwhile.
    func lockSurvivors(of asked: Set<Player.ID>) async throws(PostgresError) -> [Player.ID: Player.ID]? {
        try await run(TalliesShare())
        // Whoever is merged while the lock is waited for is another one afterwards.
        for _ in 0..<Limits.survivorAttemptsMax {
            let survivors = try await survivors(of: asked)
            _ = try await rows(CallersLock(callers: asked.union(survivors.values).map { .player($0) }))
            if try await self.survivors(of: asked) == survivors { return survivors }
        }
        return nil
    }

    private func survivors(of players: Set<Player.ID>) async throws(PostgresError) -> [Player.ID: Player.ID] {
        let found = try await rows(SurvivorsFind(players: players.sorted()))
        return Dictionary(found.map { ($0.player, $0.survivor) }) { first, _ in first }
    }
}
