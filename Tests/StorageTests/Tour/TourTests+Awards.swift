import Domain
import Foundation
@testable import Storage
import TestDatabases
import Testing

extension TourTests {
    /// Awards, who has them, and how far a player is.
    func awards(_ database: TestDatabase) async throws {
        let store = database.store
        let slug = Slug.of("medals")
        let board = try await database.addBoard("medals") { $0.policy = .sum }.id
        let text = try AwardText("Reach 10 points.")
        let ten = AwardRule.points(board: slug, season: nil, window: .season, atLeast: 10)
        let award = Award(name: .of("Ten"), text: text, rule: ten, isSecret: true)
        #expect(try await store.admin.addAward(.of("ten"), award, in: .defaultGame, now: .noon) == .added)
        #expect(try await store.admin.addAward(.of("ten"), award, in: .defaultGame, now: .noon) == .exists)
        try await database.addAward("two-days", .days(board: slug, atLeast: 2))
        try await database.addAward("medal", .granted)
        try await database.addAward("first", .rank(board: slug, season: nil, atLeast: 1))
        try await database.addCampaign("medal-days", .board(game: .defaultGame, board: slug), to: "2026-11-21")
        try await database.addAward("best-of-days", .contestRank(campaign: .of("medal-days"), atLeast: 1))
        try await database.addAward("giver", .given(atLeast: 1_000_000))
        let listed = try await store.awards(of: .defaultGame)
        #expect(listed.map(\.slug.description) == ["best-of-days", "first", "giver", "medal", "ten", "two-days"])
        #expect(listed.first { $0.slug == .of("ten") }?.award == award)

        let (conditions, boards, rules) = try await store.awardConditions()
        #expect(boards.contains { $0.id == board })
        #expect(conditions.contains { $0.rule == .points && $0.atLeast == 10 && !$0.isOfDay })
        #expect(Set(rules) == [.points, .days, .granted, .rank, .given])
        let player = try await database.addPlayer("Awarded")
        try await database.post(12, by: player, on: "medals", at: .noon)
        #expect(try await store.awardBoards(after: Board.ID(rawValue: 0)).contains(board))
        let (due, last) = try await store.awardsDue(on: board, after: 0)
        #expect(due.count == 2 && last == player.rawValue)
        #expect(try await store.awardsDue(on: board, after: player.rawValue).last == nil)
        #expect(try await store.awardPairs(of: [player]).count == 3, "neither the rank nor the granted one")
        #expect(try await store.reconcileAwards(due, onlyMissing: true).given == 1)
        #expect(try await store.awardPairs(of: [player]).count == 3)
        #expect(try await store.grant(.of("medal"), to: player, in: .defaultGame, now: .noon) == .granted)
        #expect(try await store.grant(.of("ten"), to: player, in: nil, now: .noon) == .otherRule)
        #expect(try await store.grant(.of("none"), to: player, in: nil, now: .noon) == .noAward)
        let nobody = Player.ID(rawValue: 1)
        #expect(try await store.grant(.of("medal"), to: nobody, in: nil, now: .noon) == .noPlayer)

        let shown = ["medal", "ten"].map { slug in
            GivenAward(award: .of(slug), name: slug == "ten" ? "Ten" : slug, givenAt: .noon, occasion: nil)
        }
        #expect(try await store.shownAwards(of: player) == shown)
        #expect(try await store.shownAward(.of("ten"), of: player) == shown[1])
        let own = try await store.ownAwards(of: player, now: .noon)
        #expect(own.map(\.have) == [nil, nil, 0, nil, 12, 1] && own.map(\.need) == [1, 1, 1_000_000, nil, 10, 2])
        #expect(own.map(\.timesCount) == [0, 0, 0, 1, 1, 0] && own[4].givenAt == .noon && own[0].givenAt == nil)
        let profile = try await store.ownProfile(of: player, now: .noon)
        #expect(profile.awards.count == 2 && profile.awards.newest == .of("medal"))
        #expect(try await store.findPublicProfile(of: player)?.awards == shown)
        let exported = try await store.exportedAwards(of: player, after: nil, limitRows: 1)
        #expect(exported.map(\.award) == [shown[1]])
        let rest = try await store.exportedAwards(of: player, after: exported.first?.key, limitRows: 9)
        #expect(rest.map(\.award) == [shown[0]])

        #expect(try await store.awardHoldersCorrected(after: nobody).0.isEmpty)
        #expect(try await store.awardHoldersCorrected(after: player).last == nil)
        let contests = try await store.awardContests()
        #expect(contests.map(\.board) == [board] && contests.map(\.endsAt) == [.at("2026-11-22T00:00:00Z")])
        #expect(try await store.awardOccasions(of: [player], now: .noon).isEmpty)
        #expect(try await store.resetBoard(slug, in: .defaultGame, now: .noon.advanced(bySeconds: 9)) == 2)
        // The campaign is over with the season of its board.
        let later = Instant.noon.advanced(bySeconds: 10)
        let occasions = try await store.awardOccasions(of: [player], now: later)
        #expect(occasions.map(\.board) == [board, nil])
        #expect(try await store.awardSeasons(on: [board]) == occasions.filter { $0.board != nil })
        #expect(try await store.awardOccasions(after: nil, now: later) == occasions)
        #expect(try await store.awardOccasions(after: occasions.first, now: later) == [occasions[1]])
        for occasion in occasions { #expect(try await store.reconcileRanks(occasion, now: later).0.given == 1) }
        #expect(try await store.shownAwards(of: player).prefix(2).map(\.occasion) == ["medal-days", "1"])
        #expect(try await store.shownAwards(of: player).prefix(2).map(\.campaign) == ["medal-days", nil])
        try await database.moderate(.withdraw(player, award: .of("medal")))
        let change = try await store.admin.setAward(.of("medal"), in: .defaultGame, AwardChange(), now: .noon)
        #expect(change.outcome == .set && change.now?.givenCount == 0)
    }
}
