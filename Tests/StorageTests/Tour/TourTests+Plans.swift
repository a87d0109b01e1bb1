import Domain
import Foundation
@testable import Storage
import TestDatabases
import Testing

extension TourTests {
    /// A plan from its making to what it gave. The books of its first day are closed.
    func plans(_ database: TestDatabase) async throws {
        let store = database.store
        let now = Instant.noon(after: 1)
        try await database.setPlans(now: now)
        let kim = try await database.teamPlayer("Kim")
        try await database.post(30, by: kim.id, on: "relay", at: now)
        let terms = PlanTerms(
            shares: [PlanShare(charity: .of("trees"), share: 7)], interval: .day, keep: 10, isAnonymous: true)
        let today = Instant.noon.dayInUTC
        let version = PlanVersion(etag: "\(kim.id.rawValue)-1", since: .noon, nextOn: today)
        #expect(try await store.put(terms, for: kim.token, expected: nil, now: .noon) == .stored(version, isNew: true))
        let plan = Plan(terms: terms, etag: version.etag, since: .noon, nextOn: today)
        #expect(try await store.findPlan(of: kim.id)?.plan == plan)
        let preview = try #require(try await store.previewPlan(of: kim.id, points: 5, now: .noon))
        #expect(preview.charities == [.of("trees")] && preview.split == PlanSplit(points: [5], skipped: [nil]))

        var cursor: PlanCursor?
        let decided = try await store.carryingOutPlans { () -> Bool in true }
        #expect(decided == true)
        let profile = try await store.ownProfile(of: kim.id, now: now).profile
        #expect(profile.planNextOn == today && profile.balance == 30)
        #expect(try await store.decidePlans(after: &cursor, now: now).giving == 1)
        let run = try #require(try await store.openPlanRuns().first)
        #expect(run.player == kim.id && run.isAnonymous && !run.isMerged)
        let line = try #require(run.lines.first)
        #expect(line.charity == .of("trees") && line.points == 20)
        try await database.donate(line.points, by: kim.id, to: "trees", id: line.id, isAnonymous: true, at: now)
        #expect(try await store.note(run, refused: [:], now: now) == true)
        #expect(try await store.note(run, refused: [:], now: now) == nil)
        let done = FinishedRun(
            day: today, lines: [.init(charity: .of("trees"), points: line.points, id: line.id, skip: nil)])
        #expect(try await store.findPlan(of: kim.id)?.last == done)
        let activity = try await store.activity(of: kim.id, now: now)
        #expect(activity.plan?.terms == terms && activity.runs == [done])
        #expect(activity.challenges.isEmpty && activity.awards.isEmpty)
        #expect(done.donatedText == "trees 20" && done.skippedText.isEmpty)
        let plans = try await store.exportedPlans(of: kim.id, after: nil, limitRows: 9)
        #expect(plans.map(\.terms) == [terms] && plans.map(\.key.version) == [1] && plans.map(\.until) == [nil])
        #expect(plans.map(\.since) == [.noon] && plans.map(\.nextOn) == [today.advanced(byDays: 1)])
        #expect(try await store.exportedPlans(of: kim.id, after: plans[0].key, limitRows: 9).isEmpty)
        let runs = try await store.exportedPlanRuns(of: kim.id, after: nil, limitRows: 9)
        #expect(runs.map(\.run) == [done] && runs.map(\.owed) == [[0]] && runs.map(\.key.version) == [1])
        #expect(runs.map(\.decidedAt) == [now] && runs.map(\.doneAt) == [now])
        #expect(try await store.exportedPlanRuns(of: kim.id, after: runs[0].key, limitRows: 9).isEmpty)
        #expect(try await store.endPlan(of: kim.token, expected: version.etag, now: now) == .ended)
    }
}
