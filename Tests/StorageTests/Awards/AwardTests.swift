import Domain
import Foundation
import TestDatabases
import TestDice
import Testing

@testable import Storage

/// Since when players have awards, through whatever happens to what counts.
@Suite struct AwardTests {
    private func time(_ seconds: Int64) -> Instant { .noon.advanced(bySeconds: seconds) }

    @Test("an award is given since the first moment at which its rule held over what counts now") func vector()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("sums") { $0.policy = .sum }
            try await database.addAward(
                "hundred", .points(board: .of("sums"), season: nil, window: .season, atLeast: 100))
            let ada = try await database.addPlayer("Ada")
            func decided() async throws -> [String] {
                try await database.decideAwards(of: [ada])
                return try await database.awards(of: ada)
            }
            let first = UUID()
            try await database.post(60, by: ada, on: "sums", id: first, at: time(1))
            #expect(try await decided() == [])
            try await database.post(50, by: ada, on: "sums", at: time(2))
            #expect(try await decided() == ["hundred 2026-11-20T12:00:02Z"])
            try await database.post(-30, by: ada, on: "sums", at: time(3))
            #expect(try await decided() == ["hundred 2026-11-20T12:00:02Z"])
            let void = try await database.moderate(.void(ada, score: first), at: time(4))
            #expect(try await decided() == [])
            try await database.moderate(.undo(void), at: time(5))
            #expect(try await decided() == ["hundred 2026-11-20T12:00:02Z"])
            try await database.moderate(.void(ada, score: first), at: time(6))
            try await database.post(90, by: ada, on: "sums", at: time(7))
            #expect(try await decided() == ["hundred 2026-11-20T12:00:07Z"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a held score that is cleared counts from its own moment") func cleared() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("best")
            try await database.addAward("ten", .points(board: .of("best"), season: nil, window: .season, atLeast: 10))
            let ada = try await database.addPlayer("Ada")
            let early = UUID()
            try await database.post(12, by: ada, on: "best", id: early, at: time(1))
            try await database.moderate(.hold(ada, score: early), at: time(2))
            try await database.post(11, by: ada, on: "best", at: time(3))
            try await database.decideAwards(of: [ada])
            #expect(try await database.awards(of: ada) == ["ten 2026-11-20T12:00:03Z"])
            try await database.moderate(.clear(ada, score: early), at: time(4))
            // Playing takes none away, and changes none.
            #expect(try await database.decideAwards(of: [ada], onlyMissing: true).count == 0)
            #expect(try await database.decideAwards(of: [ada]).moved == 1)
            #expect(try await database.awards(of: ada) == ["ten 2026-11-20T12:00:01Z"])
        }
    }

    @Test("awards follow a merge and its undo, and granted ones stay where they are") func merges() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("sums") { $0.policy = .sum }
            try await database.addAward(
                "hundred", .points(board: .of("sums"), season: nil, window: .season, atLeast: 100))
            try await database.addAward("badge", .granted)
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            try await database.post(60, by: ada, on: "sums", at: time(1))
            try await database.post(50, by: bob, on: "sums", at: time(2))
            #expect(try await database.store.grant(.of("badge"), to: bob, in: .defaultGame, now: time(3)) == .granted)
            #expect(try await database.store.grant(.of("badge"), to: bob, in: nil, now: time(4)) == .known)
            let merge = try await database.moderate(.merge(bob, into: ada), at: time(5))
            try await database.decideAwards(of: [ada, bob])
            let both = ["hundred 2026-11-20T12:00:02Z", "badge 2026-11-20T12:00:03Z"]
            #expect(try await database.awards(of: ada) == both)
            #expect(try await database.store.awards(of: .defaultGame).map(\.givenCount) == [1, 1])
            try await database.moderate(.undo(merge), at: time(6))
            try await database.decideAwards(of: [ada, bob])
            #expect(try await database.awards(of: ada) == [])
            #expect(try await database.awards(of: bob) == ["badge 2026-11-20T12:00:03Z"])
            try await database.moderate(.withdraw(bob, award: .of("badge")), at: time(7))
            #expect(try await database.awards(of: bob) == [])
            try await database.moderate(.grant(ada, award: .of("badge")), at: time(8))
            #expect(try await database.awards(of: ada) == ["badge 2026-11-20T12:00:08Z"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("an erased player has no award, and is given none") func erased() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("best")
            try await database.addAward("ten", .points(board: .of("best"), season: nil, window: .season, atLeast: 10))
            let ada = try await database.addPlayer("Ada")
            try await database.post(12, by: ada, on: "best", at: time(1))
            #expect(try await database.decideAwards(of: [ada]).given == 1)
            let pairs = try await database.store.awardPairs(of: [ada])
            try await database.moderate(.erase(ada, confirming: "Ada"), at: time(2))
            #expect(try await database.owner.ask("select count(*) from award_given") == ["0"])
            #expect(try await database.store.reconcileAwards(pairs, onlyMissing: false).count == 0)
            #expect(try await database.store.awards(of: .defaultGame).map(\.givenCount) == [0])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("an award for a rank goes to the first of each season that is over, as the final order is now") func ranks()
        async throws
    {
        try await withTestDatabase { database in
            let first = try await database.addBoard("best")
            try await database.addAward("winner", .rank(board: .of("best"), season: nil, atLeast: 1))
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let score = UUID()
            try await database.post(30, by: ada, on: "best", id: score, at: time(1))
            try await database.post(20, by: bob, on: "best", at: time(2))
            #expect(try await database.store.awardSeasons(after: nil).isEmpty)
            #expect(try await database.store.resetBoard(.of("best"), in: .defaultGame, now: time(60)) == 2)
            let seasons = try await database.store.awardSeasons(after: nil)
            #expect(seasons.map(\.board) == [first.id])
            let season = try #require(seasons.first)
            #expect(try await database.store.awardSeasons(on: [first.id]) == seasons)
            #expect(try await database.store.awardSeasons(of: [bob]) == seasons)
            #expect(try await database.store.reconcileRanks(season).0.given == 1)
            #expect(try await database.awards(of: ada) == ["winner 2026-11-20T12:01:00Z 1"])
            try await database.moderate(.void(ada, score: score), at: time(70))
            let changes = try await database.store.reconcileRanks(season).0
            #expect(changes.given == 1 && changes.withdrawn == 1)
            #expect(try await database.awards(of: bob) == ["winner 2026-11-20T12:01:00Z 1"])
            try await database.moderate(.hide(bob), at: time(80))
            #expect(try await database.store.reconcileRanks(season).0.withdrawn == 1)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("what an award is for is fixed once somebody has it") func fixed() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("best")
            let rule = AwardRule.points(board: .of("best"), season: nil, window: .season, atLeast: 10)
            try await database.addAward("ten", rule)
            let other = AwardRule.points(board: .of("best"), season: nil, window: .season, atLeast: 9)
            func set(_ change: (inout AwardChange) -> Void) async throws -> AdminOutcome {
                var asked = AwardChange()
                change(&asked)
                return try await database.store.admin.setAward(.of("ten"), in: .defaultGame, asked, now: .noon).outcome
            }
            #expect(try await set { $0.rule = other } == .set)
            let ada = try await database.addPlayer("Ada")
            try await database.post(12, by: ada, on: "best", at: time(1))
            try await database.decideAwards(of: [ada])
            #expect(try await set { $0.rule = rule } == .awardFixed)
            #expect(try await set { ($0.rule, $0.name) = (other, .of("Nine")) } == .set)
            let rank = AwardRule.rank(board: .of("no"), season: 1, atLeast: 1)
            let award = Award(name: .of("x"), text: nil, rule: rank, isSecret: true)
            #expect(
                try await database.store.admin.addAward(.of("no"), award, in: .defaultGame, now: .noon) == .noAwardBoard
            )
        }
    }

    @Test("who has awards is what an independent model says, after whatever happened", arguments: [UInt64(1), 2, 3])
    func histories(seed: UInt64) async throws {
        try await withTestDatabase { database in
            var history = try await AwardHistory(database, Dice(seed: seed))
            for _ in 0..<60 { try await history.step() }
            for player in history.players {
                #expect(try await database.awards(of: player).sorted() == history.expected(of: player), "\(seed)")
            }
            #expect(try await database.auditComplaints() == [])
        }
    }
}
