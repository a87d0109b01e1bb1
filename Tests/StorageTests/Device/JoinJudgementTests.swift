import Credentials
import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Storage

/// What a join is refused for under the locks, where another transaction may have changed what was judged before them.
@Suite struct JoinJudgementTests {
    private struct Owner {
        let player: Player.ID
        let token: TokenHash
    }

    private static func owner(_ database: TestDatabase, _ name: String) async throws -> Owner {
        let token = Token.generated(.device).hash
        return Owner(player: try await database.owner(name, token), token: token)
    }

    /// The outcome of `device_join` alone for a device that joins a player; nil when it is to be judged again.
    private static func joined(
        _ database: TestDatabase, _ joining: Joining, to owner: Owner, from current: Owner? = nil
    ) async throws -> String? {
        try await database.store.ledger { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                _ = try await connection.rows(joining.lock(owner.player, current?.player))
                return try await connection.row(joining.statement(owner.player, current?.player, merges: false))?.word
            }
        }
    }

    @Test("a code is good until the instant at which it ends, when it is looked for and under the locks") func expiry()
        async throws
    {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database, "Ada")
            let end = Instant.noon.advanced(bySeconds: 600)
            let code = database.secret.hash(of: .generated(.join), in: .defaultGame)
            #expect(try await database.store.makeCode(code, kind: "join", for: ada.token, now: .noon, expiresAt: end))
            let before = Instant(microsecondsSince1970: end.microsecondsSince1970 - 1)
            for (now, isGood) in [(end, false), (before, true)] {
                let joining = try database.joining("pad", Token.generated(.device).hash, by: code, now: now)
                let find = CodeFind(code: code, device: joining.device, now: now)
                let found = try await database.store.general { connection throws(PostgresError) in
                    try await connection.row(find).owner
                }
                #expect(found == (isGood ? ada.player : nil))
                #expect(try await Self.joined(database, joining, to: ada) == (isGood ? "joined" : "refused"))
            }
        }
    }

    @Test("who was banned joins nobody, and nobody joins a player who was banned or erased") func banned() async throws
    {
        try await withTestDatabase { database in
            let (ada, bob) = (try await Self.owner(database, "Ada"), try await Self.owner(database, "Bob"))
            let joining = try database.joining("Ada", ada.token, by: try await database.joinCode(of: bob.token))
            for player in [ada, bob] {
                let ban = try await database.moderate(.ban(player.player, until: nil))
                #expect(try await Self.joined(database, joining, to: bob, from: ada) == "refused")
                #expect(
                    try await database.store.join(joining).word == (player.player == bob.player ? "refused" : "banned"))
                try await database.moderate(.undo(ban))
            }
            try await database.owner.script("update player set name = '' where id = \(bob.player.rawValue)")
            #expect(try await Self.joined(database, joining, to: bob, from: ada) == "refused")
            try await database.owner.script("update player set name = 'Bob' where id = \(bob.player.rawValue)")
            #expect(try await Self.joined(database, joining, to: bob, from: ada) == "joined")
        }
    }

    @Test("by codes of its own a player takes up three others, and no fourth one") func merges() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database, "Ada")
            var outcomes: [String] = []
            for name in ["Bob", "Cy", "Dee", "Eve"] {
                let other = try await Self.owner(database, name)
                try await database.post(5, by: other.player, on: "high-scores")
                let joining = try database.joining(name, other.token, by: try await database.joinCode(of: ada.token))
                outcomes.append(try await database.store.joinMerging(joining, as: UUID(), marker: nil).word)
            }
            #expect(outcomes == ["joined", "joined", "joined", "merge-limit"])
            #expect(Limits.ownMergesMax == 3)
        }
    }
}
