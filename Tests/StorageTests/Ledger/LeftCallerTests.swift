import Credentials
import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// Somebody who ceased to speak for a player, as another process was told, writes through one whose memory is older.
@Suite struct LeftCallerTests {
    enum Leaving: CaseIterable, Sendable { case joined, cut, parted, erased }

    @Test("a post is recorded for whom its caller speaks now, whatever memory says", arguments: Leaving.allCases)
    func stale(leaving: Leaving) async throws {
        try await withTestDatabase { database in
            try await database.addBoard("maze")
            let (token, others) = (Token.generated(.device).hash, Token.generated(.device).hash)
            let ada = try await database.owner("Ada", token)
            let bob = try await database.owner("Bob", others)
            let merge = leaving == .parted ? try await database.moderate(.merge(ada, into: bob)) : nil
            let known = KnownCallers { true }
            known.setFollowing(true)
            func post(on board: String, by other: TokenHash? = nil) async throws -> ScoreReceipt {
                let score = NewScore(
                    5, by: .token(other ?? token, claims: nil), on: .of(board), in: .defaultGame, id: UUID(),
                    reachedAt: .noon)
                return try await database.store.recordOnce([score], known: known, now: .noon)[0]
            }
            // A score that is refused makes its caller known, and no history.
            #expect(try await post(on: "none").outcome == .noBoard)
            let stranger = Token.generated(.device).hash
            _ = try await database.owner("Zoe", stranger)
            #expect(try await post(on: "none", by: stranger).outcome == .noBoard)
            #expect(known.count == 2)

            switch leaving {
            case .joined: #expect(try await database.join("Ada", token, by: database.joinCode(of: others)) == "joined")
            case .cut:
                let pad = Token.generated(.device).hash
                #expect(try await database.join("pad", pad, by: database.joinCode(of: token)) == "joined")
                #expect(
                    try await database.store.cutOff(database.hash("Ada", as: .classic), by: pad, now: .noon) == .cut)
            case .parted: try await database.moderate(.undo(#require(merge)))
            case .erased: try await database.moderate(.erase(ada, confirming: "Ada"))
            }
            #expect(try await post(on: "maze").outcome == .deferred)
            #expect(known.count == 1, "who has nothing to do with it is still known")
            let receipt = try await post(on: "maze")
            switch leaving {
            case .joined: #expect(receipt.outcome == .recorded && receipt.player == bob)
            case .parted: #expect(receipt.outcome == .recorded && receipt.player == ada)
            case .cut, .erased: #expect(receipt.outcome == .unauthorized)
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("who ceases to speak for a player is counted in that player's wallet, and in nobody else's") func counted()
        async throws
    {
        try await withTestDatabase { database in
            let tokens = (0..<4).map { _ in Token.generated(.device).hash }
            var players: [Player.ID] = []
            for (name, token) in zip(["Ada", "Bob", "Cy", "Dee"], tokens) {
                players.append(try await database.owner(name, token))
            }
            let (ada, bob, cy) = (players[0], players[1], players[2])
            var before: [String] = []
            /// Whose count has risen since the last look.
            func left() async throws -> [String] {
                let counts = try await database.owner.ask(
                    "select p.name || ' ' || w.callers_left from wallet w join player p on p.id = w.player_id")
                defer { before = counts }
                return Set(counts).subtracting(before).map { String($0.prefix { $0 != " " }) }.sorted()
            }
            #expect(try await left() == ["Ada", "Bob", "Cy", "Dee"])

            let pad = Token.generated(.device).hash
            #expect(try await database.join("pad", pad, by: database.joinCode(of: tokens[0])) == "joined")
            #expect(try await left() == [], "a device more takes nobody's word")
            let device = try database.hash("pad", as: .classic)
            #expect(try await database.store.cutOff(device, by: tokens[0], now: .noon) == .cut)
            #expect(try await left() == ["Ada"])
            #expect(try await database.join("Dee", tokens[3], by: database.joinCode(of: tokens[0])) == "joined")
            #expect(try await left() == [""], "Dee, whom nobody speaks for any more")

            try await database.moderate(.merge(ada, into: bob))
            #expect(try await left() == ["Ada"])
            let merge = try await database.moderate(.merge(bob, into: cy))
            #expect(try await left() == ["Bob"])
            try await database.moderate(.undo(merge))
            #expect(try await left() == ["Cy"])
            try await database.moderate(.erase(bob, confirming: "Bob"))
            #expect(try await database.owner.ask("select count(*) from player where name = ''") == ["3"])
            let erased = try await database.owner.ask(
                "select callers_left::text from wallet where player_id in (\(ada.rawValue), \(bob.rawValue)) order by 1"
            )
            #expect(erased == ["2", "3"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a merge is noticed for a player without a device, whom a game's key names") func named() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("maze")
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            // Nobody ceases to speak for the player when it is merged.
            try await database.owner.script("delete from device where player_id = \(ada.rawValue)")
            let key = try await database.addKey(to: .defaultGame)
            let known = KnownCallers { true }
            known.setFollowing(true)
            func post() async throws -> ScoreReceipt {
                let caller = Caller.key(key, .player(ada))
                let score = NewScore(5, by: caller, on: .of("maze"), in: .defaultGame, id: UUID(), reachedAt: .noon)
                return try await database.store.recordOnce([score], known: known, now: .noon)[0]
            }
            for _ in 0..<2 {
                let receipt = try await post()
                #expect(receipt.outcome == .recorded && receipt.player == ada)
            }
            #expect(known.count == 1)
            try await database.moderate(.merge(ada, into: bob))
            #expect(try await post().outcome == .deferred)
            let receipt = try await post()
            #expect(receipt.outcome == .recorded && receipt.player == bob)
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test(
        "a device whose player was merged, and which then joins another one, writes for that one alone",
        .timeLimit(.minutes(5))) func moved() async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("maze")
            let (token, others) = (Token.generated(.device).hash, Token.generated(.device).hash)
            let ada = try await database.owner("Ada", token)
            let bob = try await database.owner("Bob", Token.generated(.device).hash)
            let eve = try await database.owner("Eve", others)
            let merge = try await database.moderate(.merge(ada, into: bob))
            #expect(try await database.join("Ada", token, by: database.joinCode(of: others)) == "joined")
            let score = NewScore(
                5, by: .token(token, claims: nil), on: .of("maze"), in: .defaultGame, id: UUID(), reachedAt: .noon)
            let receipt = try await database.store.record([score], now: .noon)[0]
            #expect(receipt.outcome == .recorded && receipt.player == eve)
            // Nor does it go back when those two part.
            try await database.moderate(.undo(merge))
            #expect(try await database.store.record([score], now: .noon)[0].player == eve)
            #expect(try await database.auditComplaints() == [])
        }
    }
}

extension TestDatabase {
    /// Registers the device `phone of NAME` with a token.
    func owner(_ name: String, _ token: TokenHash) async throws -> Player.ID {
        guard case .registered(let player) = try await register(name, as: .token(token)) else {
            throw TestDatabaseError("not registered")
        }
        return player.id
    }
}
