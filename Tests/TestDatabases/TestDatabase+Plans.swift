package import Domain
package import Storage

extension TestDatabase {
    /// Turns plans on or off in the game `default`.
    package func setPlans(_ areOn: Bool = true, now: Instant = .noon) async throws {
        var change = GameChange()
        change.plans = areOn
        let outcome = try await store.admin.setGame(.defaultGame, change, now: now)
        guard outcome == .set else { throw TestDatabaseError("plans: \(outcome)") }
    }

    /// Gives a player a plan in place of the one it has.
    @discardableResult package func plan(
        _ shares: KeyValuePairs<String, Int32>, every interval: PlanInterval = .day, keep: Int64 = 0,
        isAnonymous: Bool = false, of player: TeamPlayer, now: Instant = .noon
    ) async throws -> PlanOutcome? {
        let terms = PlanTerms(
            shares: shares.map { PlanShare(charity: .of($0), share: $1) }, interval: interval, keep: keep,
            isAnonymous: isAnonymous)
        let seen = try await store.findPlan(of: player.id)?.plan.etag
        return try await store.put(terms, for: player.token, expected: seen, now: now)
    }

    /// Closes the books of the days before an instant.
    package func closeBooks(before now: Instant) async throws {
        _ = try await store.closeBooks(now: now.advanced(bySeconds: Limits.bookGraceSeconds))
    }
}
