package import Domain
package import Storage

extension TestDatabase {
    /// Adds an award to the game `default`, named like its slug.
    package func addAward(_ slug: String, _ rule: AwardRule) async throws {
        let award = Award(name: .of(slug), text: nil, rule: rule, isSecret: false)
        let outcome = try await store.admin.addAward(.of(slug), award, in: .defaultGame, now: .noon)
        guard outcome == .added else { throw TestDatabaseError("award \(slug): \(outcome)") }
    }

    /// Adds a campaign that begins on the day of ``Instant/noon``, named like its slug.
    package func addCampaign(_ slug: String, _ subject: NewCampaign.Subject, to last: String) async throws {
        let new = try NewCampaign(
            slug: .of(slug), name: nil, text: nil, subject: subject, firstDay: Day(text: "2026-11-20"),
            lastDay: Day(text: last), goal: nil, milestones: [])
        let outcome = try await store.admin.addCampaign(new, now: .noon)
        guard outcome == .added else { throw TestDatabaseError("campaign \(slug): \(outcome)") }
    }

    /// Makes who has all awards for ranks what the final orders say.
    @discardableResult package func decideRanks(now: Instant) async throws -> AwardChanges {
        var changes = AwardChanges()
        for occasion in try await store.awardOccasions(after: nil, now: now) {
            let some = try await store.reconcileRanks(occasion, now: now).0
            changes.given += some.given
            changes.withdrawn += some.withdrawn
        }
        return changes
    }

    /// Makes all awards that follow from what some players did what the ledgers say.
    @discardableResult package func decideAwards(of players: [Player.ID], onlyMissing: Bool = false) async throws
        -> AwardChanges
    { try await store.reconcileAwards(store.awardPairs(of: players), onlyMissing: onlyMissing) }

    /// The awards of a player, the oldest first, such as `first 2026-11-20T12:00:00Z`.
    package func awards(of player: Player.ID) async throws -> [String] {
        try await store.shownAwards(of: player).reversed().map { award in
            "\(award.award) \(award.givenAt.rfc3339(.seconds))" + (award.occasion.map { " \($0)" } ?? "")
        }
    }
}
