import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// Tests what a player sees of itself, and what others see of it.
@Suite struct ProfileTests {
    @Test("a profile says what the books say, an anonymous donation only to its donor, and nobody is told more")
    func profiles() async throws {
        try await withTestDatabase { database in
            let store = database.store
            try await database.addBoard("race") { $0.lowestFirst = true }
            try await database.addBoard("empty")
            for slug in ["trees", "water", "wells"] { try await database.addCharity(slug) }
            let ada = try await register("Ada", database)
            let bob = try await database.addPlayer("Bob", points: 50)
            try await database.post(300, by: ada, on: "high-scores")
            try await database.post(200, by: ada, on: "high-scores", at: Instant.noon.advanced(bySeconds: 9))
            try await database.post(40, by: ada, on: "race")
            for (points, charity, isAnonymous) in [
                (30, "trees", false), (5, "trees", true), (7, "trees", true), (20, "wells", true),
            ] as [(Int64, String, Bool)] {
                #expect(
                    try await database.donate(points, by: ada, to: charity, isAnonymous: isAnonymous).outcome
                        == .recorded)
            }
            #expect(try await database.donate(9, by: bob, to: "water").outcome == .recorded)

            let (own, donations, _, _) = try await store.ownProfile(of: ada, now: .noon)
            #expect(
                own.shown.name == "Ada" && own.shown.avatar == Self.avatar && own.country == "NZ" && own.wantsUpdates)
            #expect((own.earned, own.held, own.balance, own.donated) == (540, 0, 478, 62))
            #expect(
                donations.map { "\($0.charity) \($0.points) \($0.isAnonymous)" } == [
                    "trees 30 false", "trees 12 true", "wells 20 true",
                ])
            let shown = try #require(try await store.findPublicProfile(of: ada))
            #expect(shown.profile.id == ada && shown.profile.name == "Ada" && shown.profile.avatar == Self.avatar)
            #expect(
                shown.bests.map { "\($0.game) \($0.board) \($0.points)" } == [
                    "default high-scores 300", "default race 40",
                ])
            #expect(shown.bests.allSatisfy { $0.reachedAt == .noon })
            #expect(shown.donations.map { "\($0.charity) \($0.points) \($0.isAnonymous)" } == ["trees 30 false"])

            let (othersOwn, othersDonations, _, _) = try await store.ownProfile(of: bob, now: .noon)
            #expect(
                (othersOwn.earned, othersOwn.balance, othersOwn.donated) == (50, 41, 9) && othersOwn.country == nil
                    && !othersOwn.wantsUpdates)
            #expect(othersDonations.map(\.charity) == ["water"])

            // Some values must appear in no profile, and some in the owner's only.
            for profile in [described(own), described(donations), described(shown)] {
                for word in Self.never { #expect(!profile.contains(word), "\(word)") }
            }
            #expect(described(own).contains("NZ") && !described(shown).contains("NZ"))
            #expect(described(own).contains("earned: 540") && !described(shown).contains("earned:"))
        }
    }

    @Test("anonymous donations are added up for a player of so many donations at most, and left out beyond that")
    func manyDonations() async throws {
        try await withTestDatabase { database in
            for slug in ["trees", "water"] { try await database.addCharity(slug) }
            let ada = try await database.addPlayer("Ada", points: 100)
            _ = try await database.donate(30, by: ada, to: "water")
            _ = try await database.donate(1, by: ada, to: "trees", isAnonymous: true)
            func repeatAnonymous(_ times: Int32) async throws {
                try await database.owner.script(
                    """
                    insert into donation (player_id, id, charity_id, points, anonymous, no_client_id, reached_at,
                                          recorded_at, day, row_id, day_began_at)
                    select d.player_id, gen_random_uuid(), d.charity_id, 1, true, false, d.reached_at, d.recorded_at,
                           d.day, anonymous_row_id(gen_random_uuid()), d.day_began_at
                      from (select * from donation where anonymous limit 1) d, generate_series(1, \(times))
                    """)
            }
            func totals() async throws -> [String] {
                try await database.store.ownProfile(of: ada, now: .noon).donations.map {
                    "\($0.charity) \($0.points) \($0.isAnonymous)"
                }
            }
            try await repeatAnonymous(Limits.ownDonationsAddedUp - 2)
            #expect(try await totals() == ["trees \(Limits.ownDonationsAddedUp - 1) true", "water 30 false"])
            try await repeatAnonymous(1)
            #expect(try await totals() == ["water 30 false"])
            #expect(try await database.store.ownProfile(of: ada, now: .noon).profile.donated == 31)
        }
    }

    @Test("a hidden player is shown to nobody but itself; one that is not there to nobody") func hidden() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada", points: 5)
            #expect(try await database.store.findPublicProfile(of: ada) != nil)
            try await database.owner.script("update player set hidden = true")
            #expect(try await database.store.findPublicProfile(of: ada) == nil)
            #expect(try await database.store.ownProfile(of: ada, now: .noon).profile.balance == 5)
            #expect(try await database.store.findPublicProfile(of: Player.ID(rawValue: 4711)) == nil)
        }
    }

    @Test("what is left is never less than nothing") func overspent() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada", points: 10)
            try await database.owner.script("update wallet set donated = 8, held = 1, voided = 5")
            let profile = try await database.store.ownProfile(of: ada, now: .noon).profile
            #expect((profile.earned, profile.held, profile.balance, profile.donated) == (10, 1, 0, 8))
        }
    }

    @Test(
        "a history is read from either end in pages of any size, each row once, also where rows arrived at one moment")
    func history() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            try await database.addBoard("race") { $0.earning = .none }
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob", points: 100))
            for index in 0..<17 as Range<Int64> {
                let at = Instant.noon.advanced(bySeconds: index / 3)
                try await database.post(
                    index + 1, by: ada, on: index % 2 == 0 ? "race" : "high-scores", playedAt: index == 3 ? .noon : nil,
                    at: at)
                #expect(
                    try await database.donate(1, by: bob, to: "trees", isAnonymous: index % 2 == 0, at: at).outcome
                        == .recorded)
            }
            let (scores, donations) = (
                try await database.store.scores(of: ada, before: nil, limitRows: 101, now: .noon),
                try await database.store.donations(of: bob, before: nil, limitRows: 101)
            )
            #expect(scores.count == 17 && donations.count == 17)
            #expect(
                try await database.owner.ask(
                    "select id from score where player_id = \(ada.rawValue) order by reached_at desc, id desc")
                    == scores.map { $0.id.uuidString.lowercased() })
            #expect(scores.filter { $0.playedAt != nil }.map(\.points) == [4])
            #expect(
                scores.allSatisfy {
                    $0.board == ($0.points % 2 == 1 ? "race" : "high-scores")
                        && $0.earned == ($0.board == "race" ? 0 : $0.points)
                })
            #expect(
                donations.filter(\.isAnonymous).count == 9
                    && donations.allSatisfy { $0.charity == "trees" && $0.points == 1 })

            for limit in [1, 2, 5, 16, 17, 18] {
                var (back, forth): ([PastScore], [PastScore]) = ([], [])
                while case let page = try await database.store.scores(
                    of: ada, before: back.last.map(Self.historyKey), limitRows: limit, now: .noon), !page.isEmpty
                { back += page }
                let oldest = try #require(scores.last)
                forth = [oldest]
                while let last = forth.last,
                    case let page = try await database.store.scores(
                        of: ada, after: Self.historyKey(last), limitRows: limit, now: .noon), !page.isEmpty
                { forth += page }
                #expect(
                    back.map(\.id) == scores.map(\.id) && forth.map(\.id) == scores.map(\.id).reversed(), "\(limit)")
                var donated: [PastDonation] = []
                while case let page = try await database.store.donations(
                    of: bob, before: donated.last.map { HistoryKey(reachedAt: $0.reachedAt, id: $0.id) },
                    limitRows: limit), !page.isEmpty
                { donated += page }
                #expect(donated.map(\.id) == donations.map(\.id))
                let middle = HistoryKey(reachedAt: donations[9].reachedAt, id: donations[9].id)
                #expect(
                    try await database.store.donations(of: bob, after: middle, limitRows: limit).map(\.id)
                        == donations[..<9].reversed().prefix(limit).map(\.id))
            }
            #expect(
                try await database.store.scores(of: bob, before: nil, limitRows: 101, now: .noon).count == 1,
                "what is another player's is in no history")
            #expect(try await database.store.donations(of: ada, before: nil, limitRows: 101).isEmpty)
        }
    }

    @Test("a receipt is found by its player, id and path, and by nothing less") func receipts() async throws {
        try await withTestDatabase { database in
            let store = database.store
            let maze = try await database.addGame("maze")
            try await database.addBoard("race")
            try await database.addBoard("race", in: maze.slug)
            for slug in ["trees", "water"] { try await database.addCharity(slug) }
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob", points: 9))
            let (score, donation) = (UUID(), UUID())
            try await database.post(30, by: ada, on: "race", id: score, playedAt: .noon)
            try await database.post(50, by: ada, on: "race", at: Instant.noon.advanced(bySeconds: 1))
            let donated = try await database.donate(20, by: ada, to: "trees", id: donation, isAnonymous: true)

            let kept = try #require(
                try await store.findScore(score, of: ada, on: .of("race"), in: .defaultGame, now: .noon))
            #expect(
                kept.score.points == 30 && kept.score.earned == 30 && kept.score.playedAt == .noon
                    && kept.score.reachedAt == .noon)
            #expect(
                kept.receipt.best == 50 && kept.receipt.balance == 60 && kept.receipt.improved
                    && kept.receipt.player == ada && kept.receipt.id == score)
            let recordedDonation = try #require(
                try await store.findDonation(donation, of: ada, to: .of("trees"), now: .noon))
            #expect(
                recordedDonation.donation.points == 20 && recordedDonation.donation.isAnonymous
                    && recordedDonation.donation.reachedAt == .noon)
            #expect(
                recordedDonation.receipt.row == donated.row && (donated.row ?? 0) < 0
                    && recordedDonation.receipt.board == donated.board && recordedDonation.receipt.balance == 60)

            #expect(try await store.findScore(score, of: bob, on: .of("race"), in: .defaultGame, now: .noon) == nil)
            #expect(try await store.findScore(UUID(), of: ada, on: .of("race"), in: .defaultGame, now: .noon) == nil)
            #expect(try await store.findScore(score, of: ada, on: .highScores, in: .defaultGame, now: .noon) == nil)
            #expect(try await store.findScore(score, of: ada, on: .of("race"), in: maze.slug, now: .noon) == nil)
            #expect(try await store.findScore(donation, of: ada, on: .of("race"), in: .defaultGame, now: .noon) == nil)
            #expect(try await store.findDonation(donation, of: bob, to: .of("trees"), now: .noon) == nil)
            #expect(try await store.findDonation(donation, of: ada, to: .of("water"), now: .noon) == nil)
            #expect(try await store.findDonation(score, of: ada, to: .of("trees"), now: .noon) == nil)
        }
    }

    @Test(
        "whether a score improved its player's standing is told later as it was told at once",
        arguments: Board.Policy.allCases, [false, true]) func improved(policy: Board.Policy, lowestFirst: Bool)
        async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("race") { board in
                board.policy = policy
                board.lowestFirst = lowestFirst
            }
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            try await database.post(1_000, by: bob, on: "race")
            try await database.post(-1_000, by: bob, on: "race")
            var shown: [Bool] = []
            for (index, points) in ([10, 10, 20, 5, 20, -3, 0, 21, 4] as [Int64]).enumerated() {
                let id = UUID()
                let receipt = try await database.post(
                    points, by: ada, on: "race", id: id, at: Instant.noon.advanced(bySeconds: Int64(index)))
                let kept = try #require(
                    try await database.store.findScore(id, of: ada, on: .of("race"), in: .defaultGame, now: .noon))
                #expect(kept.receipt.improved == receipt.improved, "\(points)")
                shown.append(receipt.improved)
            }
            let expected: [Bool] =
                switch (policy, lowestFirst) {
                case (.best, false): [true, false, true, false, false, false, false, true, false]
                case (.best, true): [true, false, false, true, false, true, false, false, false]
                case (.latest, false): [true, false, true, false, true, false, true, true, false]
                case (.latest, true): [true, false, false, true, false, true, false, false, true]
                case (.sum, false): [true, true, true, true, true, false, false, true, true]
                case (.sum, true): [true, false, false, false, false, true, false, false, false]
                }
            #expect(shown == expected)
        }
    }

    private static let avatar = AvatarHash(bytes: Array(repeating: 7, count: 32))
    private static let never = ["ada@secret.example", "facebook-77", "phone of Ada", "PUT /secret"]

    private static func historyKey(_ score: PastScore) -> HistoryKey {
        HistoryKey(reachedAt: score.reachedAt, id: score.id)
    }

    /// Registers a player with every optional value, each with words that can be searched for.
    private func register(_ name: String, _ database: TestDatabase) async throws -> Player.ID {
        let picture = try #require(Self.avatar.map { Avatar(hash: $0, png: [1]) })
        let registration = Registration(
            name: try PlayerName(name, field: "name"),
            email: .set(try EmailAddress("ada@secret.example", field: "email")),
            facebookID: try FacebookID("facebook-77", field: "fb_uid"), wantsUpdates: true, source: "PUT /secret",
            avatar: .set(picture), country: .set(try CountryCode("nz", field: "country")))
        guard
            case .registered(let player) = try await database.store.register(
                registration, device: database.device(of: name), in: .defaultGame, now: .noon)
        else { throw TestDatabaseError(name) }
        return player.id
    }

    /// Every part of a value in words, for searching.
    private func described(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }
}
