import Credentials
import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// What one player takes over from another one who is merged into it.
@Suite struct MergeTests {
    private static func merge(_ player: Player.ID, into survivor: Player.ID, _ database: TestDatabase) async throws
        -> ModerationOutcome
    {
        let action = ModerationAction(
            .merge(player, into: survivor), id: UUID(), reason: try ModerationReason("a test"))
        return try await database.store.admin.perform(action, by: "cli", now: .noon)
    }

    @Test("points go on settling, and what was held stays a secret for as long") func terms() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("slow") { $0.settleMinutes = 60 }
            try await database.addBoard("trials") { board in
                board.judgeMinutes = 5
                board.settleMinutes = 60
            }
            try await database.addCharity("trees")
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            try await database.post(10, by: ada, on: "slow")
            try await database.post(20, by: ada, on: "trials")
            try await database.moderate(.merge(ada, into: bob))
            let (before, settled) = (Instant.noon.advanced(bySeconds: 1), Instant.noon.advanced(bySeconds: 3_600))
            let own = try await database.store.ownProfile(of: bob, now: before).profile
            #expect(own.balance == 30 && own.settling == 30 && own.held == 0)
            let early = try await database.donate(1, by: bob, to: "trees", at: before)
            #expect(early.outcome == .settling && early.readyAt == settled && early.balance == 30)
            let shown = try await database.store.ownProfile(of: bob, now: settled).profile
            #expect(shown.balance == 10 && shown.settling == 0 && shown.held == 20)
            #expect(try await database.donate(11, by: bob, to: "trees", at: settled).outcome == .overspent)
            #expect(try await database.donate(10, by: bob, to: "trees", at: settled).outcome == .recorded)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("codes of a player who was merged lead to nobody") func codes() async throws {
        try await withTestDatabase { database in
            let (token, others) = (Token.generated(.device).hash, Token.generated(.device).hash)
            let ada = try await database.owner("Ada", token)
            let bob = try await database.owner("Bob", others)
            let (code, kept) = (try await database.joinCode(of: token), try await database.joinCode(of: others))
            try await database.moderate(.merge(ada, into: bob))
            #expect(try await database.join("pad", by: code) == "refused")
            #expect(try await database.join("pad", by: kept) == "joined")
        }
    }

    @Test("a merge by a code that comes several times at once is done once, and each is told so") func severalTimes()
        async throws
    {
        try await withTestDatabase { database in
            let (token, others) = (Token.generated(.device).hash, Token.generated(.device).hash)
            _ = try await database.owner("Ada", token)
            let bob = try await database.owner("Bob", others)
            try await database.post(5, by: bob, on: "high-scores")
            let joining = Joining(
                try database.hash("Bob", as: .classic), in: .defaultGame, access: .token(others),
                by: .code(try await database.joinCode(of: token)), number: "pad", name: nil, now: .noon)
            let words = try await together(4) { _ in
                try await database.store.joinMerging(joining, as: UUID(), marker: nil).word
            }
            #expect(words.sorted() == ["joined", "known", "known", "known"])
            #expect(try await database.owner.ask("select count(*) from merge") == ["1"])
        }
    }

    @Test("players of two games are not merged, nor is one with itself") func others() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada")
            let bob = try await database.addPlayer("Bob", in: database.addGame("quiz"))
            #expect(try await Self.merge(ada, into: bob, database) == .conflict(nil))
            #expect(try await Self.merge(ada, into: ada, database) == .conflict(nil))
            // An action that voided points of the player does not stand in the way.
            try await database.addCharity("trees")
            let cleo = try await database.addPlayer("Cleo", points: 10)
            let donation = try await database.donate(5, by: cleo, to: "trees").id
            try await database.moderate(.reverse(cleo, donation: donation, forfeits: true))
            #expect(try await Self.merge(cleo, into: cleo, database) == .conflict(nil))
            #expect(try await database.owner.ask("select count(*) from merge") == ["0"])
        }
    }

    @Test("as many may be one as the limit says, and not one more") func members() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let cleo = try await database.addPlayer("Cleo")
            // Ada is one with all but one of those who may be one with her.
            try await database.owner.script(
                """
                insert into player (id, game_id, name, registered_at)
                select 1000 + n, p.game_id, 'P' || n, p.registered_at
                  from player p cross join generate_series(3, \(Limits.membersOfPlayerMax)) n
                 where p.id = \(ada.rawValue);
                insert into wallet (player_id, merged)
                select 1000 + n, true from generate_series(3, \(Limits.membersOfPlayerMax)) n;
                insert into merge (player_id, into_id, survivor_id, action, merged_at)
                select 1000 + n, \(ada.rawValue), \(ada.rawValue), gen_random_uuid(), now()
                  from generate_series(3, \(Limits.membersOfPlayerMax)) n;
                update wallet set merges = \(Limits.membersOfPlayerMax - 2) where player_id = \(ada.rawValue)
                """)
            try await database.moderate(.merge(bob, into: ada))
            #expect(try await Self.merge(cleo, into: ada, database) == .conflict(nil))
            #expect(try await Self.merge(ada, into: cleo, database) == .conflict(nil))
        }
    }

    @Test("players who earned as much as a wallet holds are merged, and with one point more they are not")
    func fullWallet() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("rich")
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let cleo = try await database.addPlayer("Cleo")
            try await database.post(Limits.walletPointsMax - 5, by: ada, on: "rich")
            try await database.post(6, by: bob, on: "rich")
            try await database.post(5, by: cleo, on: "rich")
            #expect(try await Self.merge(bob, into: ada, database) == .walletFull)
            try await database.moderate(.merge(cleo, into: ada))
            let own = try await database.store.ownProfile(of: ada, now: .noon).profile
            #expect(own.earned == Limits.walletPointsMax && own.balance == Limits.walletPointsMax)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("who had a row under the same id as the other one means its own, for retries, actions and changes")
    func sameIDs() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("lap")
            try await database.addCharity("trees")
            let (ada, bob) = (
                try await database.addPlayer("Ada", points: 10), try await database.addPlayer("Bob", points: 10)
            )
            let (score, donation) = (UUID(), UUID())
            for (player, points) in [(ada, Int64(5)), (bob, 7)] {
                try await database.post(points, by: player, on: "lap", id: score)
                try await database.donate(points, by: player, to: "trees", id: donation)
            }
            try await database.moderate(.merge(ada, into: bob))
            for (player, points) in [(ada, Int64(5)), (bob, 7)] {
                #expect(try await database.post(points, by: player, on: "lap", id: score).outcome == .retry)
                #expect(try await database.donate(points, by: player, to: "trees", id: donation).outcome == .retry)
            }
            try await database.moderate(.void(ada, score: score))
            #expect(try await database.owner.ask("select player_id from score_state") == ["\(ada.rawValue)"])
            let trees = Slug.of("trees")
            let changed = try await database.store.change(
                donation, to: trees, of: ada, .anonymise, marker: nil, now: .noon)
            #expect(changed == .done)
            let anonymous = try await database.owner.ask("select player_id from donation where anonymous")
            #expect(anonymous == ["\(ada.rawValue)"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a player who donated more than it earned since it parted is merged like any other") func parted()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let (ada, bob) = (try await database.addPlayer("Ada", points: 10), try await database.addPlayer("Bob"))
            let cleo = try await database.addPlayer("Cleo")
            let merge = try await database.moderate(.merge(ada, into: bob))
            #expect(try await database.donate(10, by: bob, to: "trees").outcome == .recorded)
            try await database.moderate(.undo(merge))
            try await database.moderate(.merge(bob, into: cleo))
            let own = try await database.store.ownProfile(of: cleo, now: .noon).profile
            #expect(own.earned == 0 && own.balance == 0)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("devices go back to whose they were, merge by merge, and are new ones after each") func devices() async throws
    {
        try await withTestDatabase { database in
            let tokens = (0..<3).map { _ in Token.generated(.device).hash }
            var players: [Player.ID] = []
            for (name, token) in zip(["Ada", "Bob", "Cleo"], tokens) {
                players.append(try await database.owner(name, token))
            }
            try await database.owner.script("update device set owned_since = registered_at")
            let first = try await database.moderate(
                .merge(players[0], into: players[1]), at: .noon.advanced(bySeconds: 60))
            let owned = "select count(*) from device where owned_since is not null"
            #expect(try await database.owner.ask(owned) == ["2"])
            let second = try await database.moderate(
                .merge(players[1], into: players[2]), at: .noon.advanced(bySeconds: 70))
            #expect(try await database.owner.ask(owned) == ["1"])
            func speakers() async throws -> [Player.ID?] {
                var found: [Player.ID?] = []
                for token in tokens {
                    let caller = try await database.store.findCaller(.token(token, claims: nil), in: nil, now: .noon)
                    if case .known(let player, own: _) = caller { found.append(player) } else { found.append(nil) }
                }
                return found
            }
            #expect(try await speakers() == [players[2], players[2], players[2]])
            try await database.moderate(.undo(second))
            #expect(try await speakers() == [players[1], players[1], players[2]])
            try await database.moderate(.undo(first))
            #expect(try await speakers() == [players[0], players[1], players[2]])
        }
    }
}
