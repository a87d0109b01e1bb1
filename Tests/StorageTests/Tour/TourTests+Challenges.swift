import Domain
import Foundation
@testable import Storage
import TestDatabases
import Testing

extension TourTests {
    /// A challenge with a stake, from its invitation to its deletion.
    func challenges(_ database: TestDatabase) async throws {
        let store = database.store
        _ = try await database.allowChallenges()
        try await database.addCharity("wells")
        let people = try await database.friends("Gil", "Hal")
        let (gil, hal) = (people[0], people[1])
        let id = UUID()
        #expect(try await database.challenge([hal], by: gil, id: id, stake: 3, charity: .of("wells")) == .made)
        let notices = [ChallengeNotice(id: id, state: .open, answer: .invited)]
        #expect(try await store.ownProfile(of: hal.player, now: .noon).profile.challenges == notices)
        #expect(try await database.enter(id, hal, for: .of("wells")) == .entered)
        try await database.post(8, by: hal.player, on: "derby")
        let found = try #require(try await database.findChallenge(id, hal))
        #expect(found.id == id && found.game == .defaultGame && found.board == .of("derby") && found.season == 1)
        #expect(found.ties == .first && found.maker == gil.player && found.stake == 3 && found.answer == .entered)
        #expect(found.days.lowerBound.isoDate == "2026-11-20" && found.days.upperBound.isoDate == "2026-11-21")
        #expect(found.span == .at("2026-11-20T00:00:00Z")..<Instant.at("2026-11-22T00:00:00Z"))
        #expect(found.state == .open && found.madeAt == .noon && found.settledAt == nil)
        let own = try await store.challenges(of: gil.player, in: .open, before: nil, limitRows: 9, now: .noon)
        #expect(own.map(\.id) == [id])
        let entrants = try await store.entrants(of: id, asking: nil, now: .noon)
        #expect(
            entrants.map(\.player.name) == ["Hal", "Gil"] && entrants.map(\.charity) == [.of("wells"), .of("wells")])
        #expect(entrants[0].result?.points == 8 && entrants[0].result?.sortKey.row == hal.player.rawValue)
        #expect(entrants[0].result?.sortKey.orderKey == -8 && entrants[0].result?.sortKey.reachedAt == .noon)
        let later = Instant.at("2026-11-22T00:10:00Z")
        #expect(try await database.settleChallenges(now: later) == 1)
        let stake = try #require(try await store.waitingStakes(after: nil).first)
        #expect(stake.challenge == id && stake.player == hal.player && stake.points == 3)
        #expect(stake.charity.slug == .of("wells"))
        try await store.note(stake, isGiven: false)
        #expect(try await store.entrants(of: id, asking: nil, now: later)[0].gave == 0)
        #expect(try await database.findChallenge(id, gil, now: later)?.settledAt == later)
        let kept = try #require(try await store.exportedChallenges(of: hal.player, after: nil, limitRows: 9).first)
        #expect(kept.key.challenge == id && kept.board == .of("derby") && !kept.isOwn && kept.hasWon && kept.stake == 3)
        #expect(kept.answer == .entered && kept.charity == .of("wells") && kept.gave == 0 && kept.answeredAt == .noon)
        #expect(
            try await store.sweepChallenges(before: later.advanced(bySeconds: 1)) == SweptBatch(rows: 1, hasMore: false)
        )
        #expect(try await database.findChallenge(id, hal) == nil)
        // The audit needs one that is settled too late for the sweep.
        #expect(try await database.challenge([hal], by: gil, stake: 1, charity: .of("wells")) == .made)
        let invitation = try #require(try await store.ownProfile(of: hal.player, now: .noon).profile.challenges.first)
        #expect(try await database.enter(invitation.id, hal, for: .of("wells")) == .entered)
        #expect(try await store.challengesDueCount(now: later) == 1)
        #expect(try await database.settleChallenges(now: later.advanced(bySeconds: 400 * 86_400)) == 1)
        try await campaigns(database)
    }

    private func campaigns(_ database: TestDatabase) async throws {
        let store = database.store
        let new = try NewCampaign(
            slug: .of("winter"), name: .of("Winter"), text: "Wells", subject: .charity(.of("wells")),
            firstDay: Day(text: "2026-11-20"), lastDay: Day(text: "2026-11-21"), goal: 10,
            milestones: [Milestone(points: 2, name: "A pump")])
        #expect(try await store.admin.addCampaign(new, now: .noon) == .added)
        let ida = try await database.addPlayer("Ida", points: 9)
        try await database.donate(3, by: ida, to: "wells")
        var change = CampaignChange()
        (change.goal, change.milestones) = (.set(20), [Milestone(points: 5, name: "A well")])
        #expect(try await store.admin.setCampaign(.of("winter"), change, now: .noon) == .set)
        let campaign = try #require(try await store.campaigns().first)
        #expect(campaign.slug == .of("winter") && campaign.name == "Winter" && campaign.text == "Wells")
        #expect(campaign.subject == .charity(.of("wells")) && campaign.goal == 20)
        #expect(campaign.span == .at("2026-11-20T00:00:00Z")..<Instant.at("2026-11-22T00:00:00Z"))
        #expect(campaign.milestones == [Milestone(points: 2, name: "A pump"), Milestone(points: 5, name: "A well")])
        let progress = CampaignProgress(
            points: 3, contributors: 1,
            milestones: [Milestone(points: 2, name: "A pump", reachedAt: .noon), Milestone(points: 5, name: "A well")])
        #expect(try await store.campaignProgress(of: .of("winter")) == progress)
        #expect(try await store.milestones(of: .of("winter")) == progress.milestones)
        change.cohort = .set(2)
        #expect(try await store.admin.setCampaign(.of("winter"), change, now: .noon) == .exists)
        change.milestones = []
        #expect(try await store.admin.setCampaign(.of("winter"), change, now: .noon) == .set)
        let jon = try await TiePerson("Jon", database)
        let entry = try await store.enter(.of("winter"), by: jon.player, with: jon.token, now: .noon)
        #expect(entry.outcome == .entered && entry.place?.cohort == 1 && entry.place?.of == 2)
        #expect(try await store.haveCampaigns())
        #expect(try await store.findCohort(of: jon.player, in: .of("winter"))?.of == 2)
        #expect(try await store.cohort(of: jon.player, in: .of("winter")) == [jon.player])
        let entered = try await store.exportedCohorts(of: jon.player, after: nil, limitRows: 9)
        #expect(entered.map(\.key.campaign) == [.of("winter")] && entered.map(\.of) == [2])
    }
}
