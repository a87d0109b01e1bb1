package import Domain
import Postgres

/// A player's challenges, plan and awards, as the player sees them.
package struct PlayerActivity: Sendable {
    /// The newest ones.
    package let challenges: [Challenge]
    /// Nil for a player without a plan.
    package let plan: Plan?
    /// The newest runs of its plans, including former plans.
    package let runs: [FinishedRun]
    /// The newest ones.
    package let awards: [GivenAward]
}

extension Store {
    /// - Parameter player: If players were merged, their survivor.
    package func activity(of player: Player.ID, now: Instant) async throws(StoreError) -> PlayerActivity {
        let (challenges, plans, runs, awards) = try await general { connection throws(PostgresError) in
            try await connection.pipeline(
                ChallengesOwn(
                    player: player, state: nil, before: nil, beforeID: nil, now: now,
                    limitRows: Limits.activityChallenges), PlanFind(player: player),
                PlanRunsNewest(player: player, limitRows: Limits.activityRuns), AwardsShown(player: player))
        }
        return PlayerActivity(challenges: challenges, plan: plans.first, runs: runs, awards: awards)
    }
}
