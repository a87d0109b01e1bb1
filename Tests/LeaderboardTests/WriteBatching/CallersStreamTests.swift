import Credentials
import Domain
import Foundation
import Storage
import TestDatabases
import Testing

@testable import Leaderboard

/// Tokens and keys that were revoked, by any process, are refused although memory knew their players.
@Suite struct CallersStreamTests {
    @Test(
        "what changes in the database is forgotten, and the next post is judged by it",
        arguments: [
            ("update device set token_hash = sha256('another'::bytea)", ScoreOutcome.unauthorized),
            ("delete from device", .unauthorized), ("update game set classic = 'off'", .recorded),
            ("delete from wallet; delete from player", .unauthorized),
        ]) func revoked(change: String, outcome: ScoreOutcome) async throws
    {
        try await withTestDatabase { database in
            let player = try await database.addPlayer("Ada")
            _ = try await database.addBoard("maze")
            let token = Token.generated(.device).hash
            let hex = token.bytes.map { String(format: "%02x", $0) }.joined()
            try await database.owner.script("update device set token_hash = '\\x\(hex)'")
            try await withFollower(database) { live in
                try await live.catchUp()
                func post() async throws -> ScoreOutcome? {
                    let score = NewScore(
                        5, by: .token(token, claims: player), on: .of("maze"), in: .defaultGame, id: UUID(),
                        reachedAt: .noon)
                    return try await database.store.recordOnce([score], known: live.memory.callers, now: .noon).first?
                        .outcome
                }
                try await live.wait("the caller to be known") {
                    let outcome = try await post()
                    #expect(outcome == .recorded)
                    return live.memory.callers.count == 1
                }
                try await database.owner.script(change)
                try await live.wait("the caller to be forgotten") { live.memory.callers.count == 0 }
                let judged = try await post()
                #expect(judged == outcome)
            }
        }
    }

    @Test("a game's key for a player who was erased is forgotten, for this player alone, and recorded for no more")
    func erased() async throws {
        try await withTestDatabase { database in
            let players = [try await database.addPlayer("Ada"), try await database.addPlayer("Bea")]
            _ = try await database.addBoard("maze")
            let key = Token.generated(.game).hash
            _ = try await database.store.admin.addKey(key, name: .of("key"), to: .defaultGame, now: .noon)
            try await withFollower(database) { live in
                try await live.catchUp()
                func post() async throws -> [ScoreOutcome] {
                    let scores = players.map { player in
                        NewScore(
                            5, by: .key(key, .player(player)), on: .of("maze"), in: .defaultGame, id: UUID(),
                            reachedAt: .noon)
                    }
                    return try await database.store.recordOnce(scores, known: live.memory.callers, now: .noon).map(
                        \.outcome)
                }
                try await live.wait("the callers to be known") {
                    let outcomes = try await post()
                    #expect(outcomes == [.recorded, .recorded])
                    return live.memory.callers.count == 2
                }
                let erase = ModerationAction(.erase(players[0], confirming: "Ada"), id: UUID(), reason: .left)
                guard case .done = try await database.store.admin.perform(erase, by: "player", now: .noon) else {
                    throw TestDatabaseError("Ada was not erased")
                }
                try await live.wait("the caller to be forgotten") { live.memory.callers.count == 1 }
                let judged = try await post()
                #expect(judged == [.noPlayer, .recorded])
            }
        }
    }

    @Test("under a publication that does not say when callers change, nothing is remembered") func unpublished()
        async throws
    {
        try await withTestDatabase { database in
            for (table, left) in [
                ("", [true, true, true]), ("device", [false, true, true]), ("tie", [false, false, true]),
                ("score_state", [false, false, false]),
            ] {
                if !table.isEmpty {
                    try await database.owner.script("alter publication causeboard drop table \(table)")
                }
                let published = try await database.store.publishedChanges()
                #expect([published.callers, published.ties, published.holds] == left, "without \(table)")
            }
        }
    }
}
