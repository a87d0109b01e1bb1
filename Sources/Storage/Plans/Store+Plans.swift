import Concurrency
package import Domain
import Postgres

// What players want to be donated for them. Each write holds the lock of its player.
extension Store {
    /// Gives the player of a token a plan, if it has the one that the caller expects.
    /// - Parameter expected: The ETag of the plan that the caller has seen; nil for none.
    /// - Returns: Nil for a token of no device.
    package func put(_ terms: PlanTerms, for token: TokenHash, expected: String?, now: Instant) async throws(StoreError)
        -> PlanOutcome?
    {
        let put = PlanPut(token: token, terms: terms, expected: expected, now: now)
        return try await registering { connection throws(PostgresError) in
            try await connection.transaction(lockingPlayerOf: token, put).first
        }
    }

    /// Ends the plan of a token's player, if it is the one that the caller expects.
    /// - Returns: Nil for a token of no device.
    package func endPlan(of token: TokenHash, expected: String, now: Instant) async throws(StoreError) -> PlanEnding? {
        let end = PlanEnd(token: token, expected: expected, now: now)
        return try await registering { connection throws(PostgresError) in
            try await connection.transaction(lockingPlayerOf: token, end).first
        }
    }

    /// The plan that a player has, and what its newest run gave, if any has.
    package func findPlan(of player: Player.ID) async throws(StoreError) -> (plan: Plan, last: FinishedRun?)? {
        let (plans, runs) = try await general { connection throws(PostgresError) in
            try await connection.pipeline(PlanFind(player: player), PlanRunsNewest(player: player, limitRows: 1))
        }
        return plans.first.map { ($0, runs.first) }
    }

    /// What the plan of a player would give now.
    /// - Parameter points: 1 or more, whatever the player has.
    /// - Returns: A line for each charity of the plan, in the order of their slugs; nil for a player without a plan.
    package func previewPlan(of player: Player.ID, points: Int64, now: Instant) async throws(StoreError) -> PlanPreview?
    {
        try await general { connection throws(PostgresError) in
            guard let held = try await connection.firstRow(PlanHeld(player: player)) else { return nil }
            let charities = try await connection.rows(PlanCharities(charities: held.charities, now: now))
            let (lines, slugs) = held.lines(charities)
            return PlanPreview(charities: slugs, split: PlanSplit(points, among: lines))
        }
    }

    /// Plans of a player and those who are one with it, for its export: those after a key, or from the first one.
    package func exportedPlans(of player: Player.ID, after key: ExportedPlan.Key?, limitRows: Int)
        async throws(StoreError) -> [ExportedPlan]
    {
        let query = PlansExported(
            player: player, afterPlayer: key?.player ?? Player.ID(rawValue: 0), afterVersion: key?.version ?? 0,
            limitRows: Int32(clamping: limitRows))
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }

    /// What these plans gave, in the same way.
    package func exportedPlanRuns(of player: Player.ID, after key: ExportedRun.Key?, limitRows: Int)
        async throws(StoreError) -> [ExportedRun]
    {
        let query = PlanRunsExported(
            player: player, afterPlayer: key?.player ?? Player.ID(rawValue: 0), afterVersion: key?.version ?? 0,
            afterDay: key?.day ?? Day(daysSince1970: 0), limitRows: Int32(clamping: limitRows))
        return try await general { connection throws(PostgresError) in try await connection.rows(query) }
    }
}

/// What a plan would give.
package struct PlanPreview: Sendable {
    package let charities: [Slug]
    package let split: PlanSplit
}
