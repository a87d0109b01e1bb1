import Credentials
import Domain
import FoundationEssentials
import TestDatabases
import Testing

@testable import Storage

/// Who has called since a time: whoever did anything at all.
@Suite struct IdleTests {
    private static let since = Instant.noon.advanced(bySeconds: 86_400)
    private static let later = Instant.noon.advanced(bySeconds: 2 * 86_400)

    private static func isIdle(_ player: Player.ID, _ database: TestDatabase) async throws -> Bool {
        let before = Player.ID(rawValue: player.rawValue - 1)
        let found = try await database.store.idlePlayers(after: before, since: since, limitRows: 1)
        return try #require(found.first { $0.player == player }).isIdle
    }

    @Test("a token or a device that was used, a save, and a post of one who is one with a player count; nothing else")
    func calls() async throws {
        try await withTestDatabase { database in
            let store = database.store
            var tokens: [String: TokenHash] = [:]
            var players: [String: Player.ID] = [:]
            for name in ["none", "token", "early", "save", "merged"] {
                let token = Token.generated(.device).hash
                guard case .registered(let player) = try await database.register(name, as: .token(token)) else {
                    throw TestDatabaseError("not registered")
                }
                (tokens[name], players[name]) = (token, player.id)
            }
            let phone = try await database.addPlayer("phone")
            let twin = try await database.addPlayer("twin")
            try await database.addBoard("board")
            for player in Array(players.values) + [phone] { #expect(try await Self.isIdle(player, database)) }

            try await store.noteUse(ofToken: try #require(tokens["token"]), on: Self.later.dayInUTC)
            try await store.noteUse(ofToken: try #require(tokens["early"]), on: Instant.noon.dayInUTC)
            try await store.noteUse(of: try database.device(of: "phone"), on: Self.later.dayInUTC)
            try await database.owner.script(
                """
                insert into save (player_id, slot, revision, etag, body, saved_at)
                values (\(try #require(players["save"]).rawValue), 'a', 1, decode(repeat('00', 16), 'hex'), '',
                        '\(Self.later.rfc3339(.microseconds))')
                """)
            try await database.moderate(.merge(twin, into: try #require(players["merged"])))
            try await database.owner.script(
                """
                insert into score (player_id, id, board_id, points, earned, no_client_id, reached_at, recorded_at,
                                   improved, day)
                select \(twin.rawValue), gen_random_uuid(), id, 0, 0, false, t, t, false, t::date
                  from board, (select '\(Self.later.rfc3339(.microseconds))'::timestamptz as t) v
                 where slug = 'board'
                """)
            for (name, player) in players {
                #expect(try await Self.isIdle(player, database) == ["none", "early"].contains(name), "\(name)")
            }
            #expect(try await !Self.isIdle(phone, database))
            #expect(try await !Self.isIdle(twin, database), "who is one with another player goes with that one")
        }
    }

    @Test("a day that is noted is written once, and an earlier one never") func once() async throws {
        try await withTestDatabase { database in
            let token = Token.generated(.device).hash
            _ = try await database.register("Ada", as: .token(token))
            let row = "select seen_on || ' ' || ctid::text from device"
            try await database.store.noteUse(ofToken: token, on: Self.later.dayInUTC)
            let noted = try await database.owner.ask(row)
            try await database.store.noteUse(ofToken: token, on: Self.later.dayInUTC)
            try await database.store.noteUse(ofToken: token, on: Instant.noon.dayInUTC)
            try await database.store.noteUse(ofToken: Token.generated(.device).hash, on: Self.later.dayInUTC)
            #expect(try await database.owner.ask(row) == noted)
        }
    }
}
