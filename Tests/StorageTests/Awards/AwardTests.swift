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
            #expect(try await database.store.awardOccasions(after: nil, now: time(1)).isEmpty)
            #expect(try await database.store.resetBoard(.of("best"), in: .defaultGame, now: time(60)) == 2)
            let seasons = try await database.store.awardOccasions(after: nil, now: time(60))
            #expect(seasons.map(\.board) == [first.id])
            let season = try #require(seasons.first)
            #expect(try await database.store.awardSeasons(on: [first.id]) == seasons)
            #expect(try await database.store.awardOccasions(of: [bob], now: time(60)) == seasons)
            #expect(try await database.store.reconcileRanks(season, now: time(60)).0.given == 1)
            #expect(try await database.awards(of: ada) == ["winner 2026-11-20T12:01:00Z 1"])
            try await database.moderate(.void(ada, score: score), at: time(70))
            let changes = try await database.store.reconcileRanks(season, now: time(60)).0
            #expect(changes.given == 1 && changes.withdrawn == 1)
            #expect(try await database.awards(of: bob) == ["winner 2026-11-20T12:01:00Z 1"])
            try await database.moderate(.hide(bob), at: time(80))
            #expect(try await database.store.reconcileRanks(season, now: time(60)).0.withdrawn == 1)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test(
        "an award for a rank in a campaign follows from the final order of its days", arguments: Board.Policy.allCases)
    func contests(policy: Board.Policy) async throws {
        try await withTestDatabase { database in
            try await database.addBoard("days") { ($0.policy, $0.ties) = (policy, .shared) }
            try await database.addCampaign("cup", .board(game: .defaultGame, board: .of("days")), to: "2026-11-21")
            try await database.addAward("best-of-cup", .contestRank(campaign: .of("cup"), atLeast: 2))
            var players: [Player.ID] = []
            for name in ["Ada", "Bob", "Cyd", "Dan"] { players.append(try await database.addPlayer(name)) }
            let (ada, bob, cyd, dan) = (players[0], players[1], players[2], players[3])
            let best = UUID()
            try await database.post(40, by: ada, on: "days", id: best, at: time(1))
            try await database.post(20, by: bob, on: "days", at: time(86_400))
            try await database.post(20, by: cyd, on: "days", at: time(86_401))
            try await database.post(10, by: dan, on: "days", at: time(2))
            // Beyond its days.
            try await database.post(99, by: dan, on: "days", at: time(86_400 * 2))
            let end = Instant.at("2026-11-22T00:00:00Z")
            #expect(try await database.decideRanks(now: end.advanced(bySeconds: -1)).count == 0)
            let (given, before) = (" 2026-11-22T00:00:00Z cup", end.advanced(bySeconds: -1))
            func holders() async throws -> [Player.ID] {
                var found: [Player.ID] = []
                for player in players where try await database.awards(of: player) == ["best-of-cup\(given)"] {
                    found.append(player)
                }
                return found
            }
            #expect(try await database.decideRanks(now: end).given == 3, "ties share a rank")
            #expect(try await holders() == [ada, bob, cyd])
            #expect(try await database.store.awardOccasions(of: [bob], now: before).isEmpty)
            #expect(try await database.store.awardOccasions(of: [bob], now: end).map(\.board) == [nil])
            #expect(try await database.store.awards(of: .defaultGame).map(\.givenCount) == [3])
            let void = try await database.moderate(.void(ada, score: best), at: time(300_000))
            #expect(try await database.decideRanks(now: end).withdrawn == 1)
            #expect(try await holders() == [bob, cyd])
            let hide = try await database.moderate(.hide(bob), at: time(300_001))
            try await database.decideRanks(now: end)
            #expect(try await holders() == [cyd, dan])
            try await database.moderate(.undo(void), at: time(300_002))
            try await database.moderate(.undo(hide), at: time(300_003))
            try await database.decideRanks(now: end)
            #expect(try await holders() == [ada, bob, cyd])
            let merge = try await database.moderate(.merge(ada, into: dan), at: time(300_004))
            try await database.decideRanks(now: end)
            // Ada is one with Dan, whose latest score came last.
            #expect(try await holders() == (policy == .latest ? [bob, cyd] : [ada, bob, cyd, dan]))
            try await database.moderate(.undo(merge), at: time(300_005))
            try await database.decideRanks(now: end)
            #expect(try await holders() == [ada, bob, cyd])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("in a campaign over donations all donors by name have ranks, and players of the game get the award")
    func donors() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("water")
            try await database.addCharity("books")
            let chess = try await database.addGame("chess")
            try await database.addCampaign("all", .charity(.overall), to: "2026-11-20")
            try await database.addCampaign("wells", .charity(.of("water")), to: "2026-11-20")
            try await database.addAward("donor", .contestRank(campaign: .of("all"), atLeast: 2))
            try await database.addAward("well", .contestRank(campaign: .of("wells"), atLeast: 1))
            let (ada, bob) = (
                try await database.addPlayer("Ada", points: 100), try await database.addPlayer("Bob", points: 100)
            )
            let cyd = try await database.addPlayer("Cyd", in: chess, points: 100)
            let gift = UUID()
            try await database.donate(30, by: cyd, to: "books", at: time(1))
            try await database.donate(20, by: ada, to: "books", id: gift, at: time(2))
            try await database.donate(10, by: bob, to: "water", at: time(3))
            try await database.donate(50, by: bob, to: "water", isAnonymous: true, at: time(4))
            let end = Instant.at("2026-11-21T00:00:00Z")
            func decided() async throws -> [[String]] {
                try await database.decideRanks(now: end)
                var found: [[String]] = []
                for player in [ada, bob, cyd] { found.append(try await database.awards(of: player).sorted()) }
                return found
            }
            let (donor, well) = ("donor 2026-11-21T00:00:00Z all", "well 2026-11-21T00:00:00Z wells")
            #expect(try await decided() == [[donor], [well], []])
            let reverse = try await database.moderate(.reverse(ada, donation: gift, forfeits: false), at: time(5))
            #expect(try await decided() == [[], [donor, well], []])
            try await database.moderate(.undo(reverse), at: time(6))
            let hide = try await database.moderate(.hide(cyd), at: time(7))
            #expect(try await decided() == [[donor], [donor, well], []])
            #expect(try await database.store.awardOccasions(of: [cyd], now: end).count == 1)
            try await database.moderate(.undo(hide), at: time(8))
            #expect(try await decided() == [[donor], [well], []])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("the campaign of an award is over donations or over a board of its game") func campaigns() async throws {
        try await withTestDatabase { database in
            _ = try await database.addGame("chess")
            try await database.addBoard("other", in: .of("chess"))
            try await database.addCampaign("cup", .board(game: .of("chess"), board: .of("other")), to: "2026-11-21")
            func add(_ slug: String, in game: Slug) async throws -> AdminOutcome {
                let rule = AwardRule.contestRank(campaign: .of(slug), atLeast: 1)
                let award = Award(name: .of("x"), text: nil, rule: rule, isSecret: false)
                return try await database.store.admin.addAward(.of(slug), award, in: game, now: .noon)
            }
            #expect(try await add("none", in: .defaultGame) == .noAwardContest)
            #expect(try await add("cup", in: .defaultGame) == .noAwardContest)
            #expect(try await add("cup", in: .of("chess")) == .added)
            try await database.addAward("medal", .granted)
            var change = AwardChange()
            change.rule = .contestRank(campaign: .of("cup"), atLeast: 1)
            let outcome = try await database.store.admin.setAward(.of("medal"), in: .defaultGame, change, now: .noon)
                .outcome
            #expect(outcome == .noAwardContest)
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
            #expect(try await set { $0.rule = .contestRank(campaign: .of("none"), atLeast: 1) } == .awardFixed)
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
