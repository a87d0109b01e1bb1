import Credentials
import Domain
import Foundation
@testable import Storage
import TestDatabases
import Testing

/// Tests for whom tokens and keys act, and the administration of keys.
@Suite struct CallerTests {
    @Test("a caller is known by its token or key in its own game only, and speaks for its own players only") func find()
        async throws
    {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            let token = Token.generated(.device).hash
            guard case .registered(let ada) = try await database.register("Ada", as: .token(token)) else {
                throw TestDatabaseError("Ada")
            }
            let (key, foreign) = (
                try await database.addKey(to: .defaultGame), try await database.addKey(to: .of("maze"), number: 2)
            )
            guard case .registered(let bob) = try await database.register("u-7", named: "Bob", as: .key(key)) else {
                throw TestDatabaseError("Bob")
            }
            let (here, nobody) = (try database.hash("u-7", as: .key(key)), try database.hash("u-8", as: .key(key)))
            let unknown = Token.generated(.device).hash
            let asked: [(Caller, Slug?, String)] = [
                (.token(token, claims: nil), nil, "known"), (.token(token, claims: ada.id), .defaultGame, "known"),
                (.token(token, claims: bob.id), .defaultGame, "forbidden"),
                (.token(token, claims: nil), .of("maze"), "unauthorized"),
                (.token(unknown, claims: nil), nil, "unauthorized"),
                (.token(unknown, claims: ada.id), .defaultGame, "unauthorized"),
                (.token(key, claims: nil), nil, "unauthorized"), (.key(token, .player(ada.id)), nil, "unauthorized"),
                (.key(key, .player(ada.id)), .defaultGame, "known"), (.key(key, .external(here)), nil, "known"),
                (.key(key, .external(nobody)), .defaultGame, "noPlayer"),
                (.key(key, .player(Player.ID(rawValue: 4711))), nil, "noPlayer"),
                (.key(foreign, .player(ada.id)), nil, "noPlayer"),
                (.key(foreign, .player(ada.id)), .of("maze"), "noPlayer"),
                (.key(foreign, .player(ada.id)), .defaultGame, "forbidden"),
                (.key(foreign, .external(here)), .defaultGame, "forbidden"),
                (.key(unknown, .player(ada.id)), .defaultGame, "unauthorized"),
                (.key(unknown, .external(nobody)), nil, "unauthorized"),
                // An unknown game is not found, as where a score is posted; an unknown caller is refused first.
                (.token(token, claims: nil), .of("nowhere"), "noPlayer"),
                (.key(key, .player(ada.id)), .of("nowhere"), "noPlayer"),
                (.token(unknown, claims: nil), .of("nowhere"), "unauthorized"),
                (.key(unknown, .player(ada.id)), .of("nowhere"), "unauthorized"),
            ]
            for (caller, game, word) in asked {
                let found = try await database.store.findCaller(caller, in: game, now: .noon)
                #expect(found.word == word, "\(caller) in \(game?.description ?? "any")")
                if case .known(let player, _) = found { #expect([ada.id, bob.id].contains(player)) }
            }
        }
    }

    @Test("keys are listed in their order; a revoked one is refused at once, everywhere, and keeps its first date")
    func revoke() async throws {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            let (first, second) = (
                try await database.addKey(to: .of("maze")), try await database.addKey(to: .of("maze"), number: 2)
            )
            guard
                case .registered(let ada) = try await database.register(
                    "u-7", named: "Ada", in: .of("maze"), as: .key(first))
            else { throw TestDatabaseError("Ada") }
            try await database.addBoard("race", in: .of("maze"))
            let store = database.store
            func outcomes(_ key: TokenHash) async throws -> [String] {
                let caller = Caller.key(key, .player(ada.id))
                let score = NewScore(7, by: caller, on: .of("race"), in: .of("maze"), id: UUID(), reachedAt: .noon)
                return [
                    try await store.findGame(ofKey: key, now: .noon)?.description ?? "none",
                    try await store.findCaller(caller, in: .of("maze"), now: .noon).word,
                    try await database.register("u-7", named: nil, in: .of("maze"), as: .key(key)).word,
                    try await store.record([score], now: .noon)[0].outcome.rawValue,
                ]
            }
            #expect(try await outcomes(first) == ["maze", "known", "known", "recorded"])
            #expect(try await store.admin.revokeKey(numbered: 1, of: .defaultGame, now: .noon) == .noKey)
            #expect(try await store.admin.revokeKey(numbered: 1, of: .of("nowhere"), now: .noon) == .noKey)
            #expect(try await store.admin.revokeKey(numbered: 3, of: .of("maze"), now: .noon) == .noKey)
            #expect(try await outcomes(first) == ["maze", "known", "known", "recorded"])
            #expect(try await store.admin.revokeKey(numbered: 1, of: .of("maze"), now: .noon) == .set)
            #expect(try await outcomes(first) == ["none", "unauthorized", "unauthorized", "unauthorized"])
            #expect(try await outcomes(second) == ["maze", "known", "known", "recorded"])
            #expect(
                try await store.admin.revokeKey(numbered: 1, of: .of("maze"), now: Instant.noon.advanced(bySeconds: 9))
                    == .set)
            let keys = try await store.admin.keys(in: .of("maze"))
            #expect(
                keys.map(\.number) == [1, 2] && keys.map(\.revokedAt) == [.noon, nil]
                    && keys.allSatisfy { $0.addedAt == .noon })
            for slug in [Slug.defaultGame, .of("nowhere")] { #expect(try await store.admin.keys(in: slug).isEmpty) }
            #expect(try await database.owner.ask("select count(*) from score") == ["3"])
        }
    }

    @Test("no token, key, device label or id of a game's own is anywhere in the database") func stored() async throws {
        try await withTestDatabase { database in
            let (token, key) = (Token.generated(.device), Token.generated(.game))
            #expect(
                try await database.store.admin.addKey(key.hash, name: .of("arena"), to: .defaultGame, now: .noon).0
                    == .added)
            let label = try DeviceLabel("label-of-a-device", field: "id")
            for (hash, access) in [
                (database.secret.hash(of: label, in: .defaultGame), Access.token(token.hash)),
                (database.secret.hash(ofExternal: label, in: .defaultGame), .key(key.hash)),
            ] {
                #expect(
                    try await database.store.register(
                        .named("Ada"), device: hash, in: .defaultGame, access: access, now: .noon
                    ).word == "registered")
            }
            let tables = try await database.owner.ask(
                "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'")
            var contents = ""
            for table in tables {
                contents += try await database.owner.ask("select t::text from \(table) t").joined(separator: "\n")
            }
            #expect(
                contents.contains("arena") && contents.contains(Hex.text(token.hash.bytes))
                    && contents.contains(Hex.text(key.hash.bytes)))
            for text in [token.text.dropFirst(4), key.text.dropFirst(4), label.text[...]] {
                let bytes = Data(
                    base64Encoded: text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }.map(String.init).joined() + "=")
                let forms = [String(text), Hex.text(Array(text.utf8))] + (bytes.map { [Hex.text(Array($0))] } ?? [])
                for form in forms { #expect(!contents.contains(form)) }
            }
        }
    }
}
