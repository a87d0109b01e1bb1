import Credentials
import Domain
import Foundation
@testable import Storage
import TestDatabases
import Testing

/// Tests who may act for a device, and what a refusal leaves behind.
@Suite struct AccessTests {
    @Test("the first token binds, again it is harmless and updates; another one, or none, changes nothing")
    func firstUse() async throws {
        try await withTestDatabase { database in
            let (own, other) = (Token.generated(.device).hash, Token.generated(.device).hash)
            guard case .registered(let ada) = try await database.register("Ada", as: .token(own)) else {
                return noted("not registered")
            }
            for name in ["Ada L.", nil] {
                guard case .known(let again) = try await database.register("Ada", named: name, as: .token(own)) else {
                    return noted("not known")
                }
                #expect(again.id == ada.id && again.name == "Ada L.")
            }
            #expect(try await database.register("Ada", named: "Mallory", as: .token(other)).word == "label-taken")
            #expect(try await database.register("Ada", named: nil, as: .token(other)).word == "label-taken")
            let made = Token.generated(.device).hash
            #expect(try await database.register("Ada", named: "Mallory", as: .newToken(made)).word == "label-taken")
            #expect(try await database.register("Ada", named: "Mallory", as: .classic).word == "tokenNeeded")
            #expect(try await database.contents() == ["Ada L. \(Hex.text(own.bytes))"])
        }
    }

    @Test("of twenty first calls for one device, each with its own token, one wins and all others are told nothing")
    func oneDevice() async throws {
        try await withTestDatabase { database in
            let tokens = (0..<20).map { _ in Token.generated(.device).hash }
            let words = try await together(tokens.count) { index in
                try await database.register("Ada", named: "Ada \(index)", as: .token(tokens[index])).word
            }
            #expect(words.counts == ["registered": 1, "label-taken": 19])
            let winner = try #require(words.firstIndex(of: "registered"))
            #expect(try await database.contents() == ["Ada \(winner) \(Hex.text(tokens[winner].bytes))"])
            #expect(try await database.owner.ask("select count(*) from wallet") == ["1"])
        }
    }

    @Test("twenty first calls with one token are one registration") func oneToken() async throws {
        try await withTestDatabase { database in
            let token = Token.generated(.device).hash
            let words = try await together(20) { _ in try await database.register("Ada", as: .token(token)).word }
            #expect(words.counts == ["registered": 1, "known": 19])
            #expect(try await database.contents() == ["Ada \(Hex.text(token.bytes))"])
        }
    }

    @Test("one token under many new labels at once is one device of one player") func manyLabels() async throws {
        try await withTestDatabase { database in
            let token = Token.generated(.device).hash
            let words = try await together(20) { index in
                let (ada, label) = (try Registration.named("Ada"), try database.hash("device \(index)", as: .classic))
                do throws(StoreError) {
                    return try await database.store.register(
                        ada, device: label, in: .defaultGame, access: .token(token), now: .noon
                    ).word
                } catch .overloaded { return "busy" }
            }
            #expect(words.counts["registered"] == 1)
            #expect(words.allSatisfy { ["registered", "known", "busy"].contains($0) }, "\(words.counts)")
            #expect(try await database.contents() == ["Ada \(Hex.text(token.bytes))"])
        }
    }

    @Test("a token under another label is its device, which has that label from then on, and so have its codes")
    func otherLabel() async throws {
        try await withTestDatabase { database in
            let token = Token.generated(.device).hash
            guard case .registered(let ada) = try await database.register("Ada", as: .token(token)) else {
                return noted("not registered")
            }
            let code = try await database.joinCode(of: token)
            guard case .known(let again) = try await database.register("new label", named: nil, as: .token(token))
            else { return noted("not known") }
            #expect(again.id == ada.id && again.name == "Ada")
            let label = try database.hash("new label", as: .classic)
            let hashes = "select encode(hash, 'hex') from device union all select encode(device, 'hex') from code"
            #expect(try await database.owner.ask(hashes) == [Hex.text(label.bytes), Hex.text(label.bytes)])
            // The former label is free again, for another device.
            #expect(try await database.register("Ada", as: .token(Token.generated(.device).hash)).word == "registered")
            // A code brings the device under yet another label to the code's player.
            let pad = Token.generated(.device).hash
            _ = try await database.register("pad", as: .token(pad))
            #expect(try await database.join("pad 2", pad, by: code) == "joined")
            let ofAda = "select count(*) from device where player_id = \(ada.id.rawValue)"
            #expect(try await database.owner.ask(ofAda) == ["2"])
            #expect(try await database.join("Ada", pad, by: code) == "label-taken")
        }
    }

    @Test("one token on many classic devices at once is taken up by one of them") func manyClassic() async throws {
        try await withTestDatabase { database in
            for index in 0..<12 { _ = try await database.addPlayer("p\(index)") }
            let token = Token.generated(.device).hash
            let words = try await together(12) {
                try await database.register("p\($0)", named: nil, as: .token(token)).word
            }
            #expect(words.counts == ["known": 1, "label-taken": 11])
            #expect(try await database.owner.ask("select count(*) from device where token_hash is not null") == ["1"])
            #expect(try await database.owner.ask("select count(*) from player") == ["12"])
        }
    }

    @Test("a token that has a device takes no other device's label, with a name or without, and is of one game")
    func foreignToken() async throws {
        try await withTestDatabase { database in
            let token = Token.generated(.device).hash
            _ = try await database.register("Ada", as: .token(token))
            _ = try await database.addPlayer("Bob")
            _ = try await database.register("Cy", as: .token(Token.generated(.device).hash))
            _ = try await database.addGame("maze")
            let before = try await database.contents()
            for device in ["Bob", "Cy"] {
                for name in ["Mallory", nil] {
                    #expect(
                        try await database.register(device, named: name, as: .token(token)).word == "label-taken",
                        "\(device)")
                }
            }
            let elsewhere = try await database.register("new", named: "Ada", in: .of("maze"), as: .token(token))
            #expect(elsewhere.word == "unauthorized")
            #expect(try await database.contents() == before)
        }
    }

    @Test(
        """
        a classic device takes up a token while the game is open to the classic protocol, \
        and then the classic protocol is over for it
        """) func takesUp() async throws
    {
        try await withTestDatabase { database in
            let (ada, _) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            let (token, other) = (Token.generated(.device).hash, Token.generated(.device).hash)
            for classic in [Game.Classic.token, .off] {
                #expect(
                    try await database.store.admin.setGame(
                        .defaultGame, name: nil, classic: classic, salt: .keep, now: .noon) == .set)
                #expect(try await database.register("Ada", named: "Mallory", as: .token(token)).word == "label-taken")
            }
            #expect(try await database.contents() == ["Ada -", "Bob -"])
            #expect(
                try await database.store.admin.setGame(.defaultGame, name: nil, classic: .open, salt: .keep, now: .noon)
                    == .set)
            guard case .known(let bound) = try await database.register("Ada", named: nil, as: .token(token)) else {
                return noted("not bound")
            }
            #expect(bound.id == ada)
            #expect(try await database.contents() == ["Ada \(Hex.text(token.bytes))", "Bob -"])

            #expect(try await database.register("Ada", named: nil, as: .token(other)).word == "label-taken")
            #expect(try await database.register("Ada", named: nil, as: .classic).word == "tokenNeeded")
            let device = try database.device(of: "Ada")
            #expect(
                try await database.store.register(.named("Ada"), device: device, in: .defaultGame, as: ada, now: .noon)
                    .word == "tokenNeeded")
            #expect(try await database.store.findClassicCall(from: device, in: .defaultGame)?.player == nil)
            // With the classic protocol off, a player with a token goes on.
            #expect(
                try await database.store.admin.setGame(.defaultGame, name: nil, classic: .off, salt: .keep, now: .noon)
                    == .set)
            #expect(try await database.register("Ada", named: "Ada L.", as: .token(token)).word == "known")
            #expect(try await database.register("Cy", as: .token(other)).word == "registered")
        }
    }

    @Test("twelve tokens want one classic device at once: one is taken up") func takesUpOne() async throws {
        try await withTestDatabase { database in
            _ = try await database.addPlayer("Ada")
            let tokens = (0..<12).map { _ in Token.generated(.device).hash }
            let words = try await together(tokens.count) {
                try await database.register("Ada", named: "Ada \($0)", as: .token(tokens[$0])).word
            }
            #expect(words.counts == ["known": 1, "label-taken": 11])
            let winner = try #require(words.firstIndex(of: "known"))
            #expect(try await database.contents() == ["Ada \(winner) \(Hex.text(tokens[winner].bytes))"])
        }
    }

    @Test("both protocols meet a new device at once: whoever comes first, one player is made and the token is bound")
    func bothProtocols() async throws {
        try await withTestDatabase { database in
            for round in 0..<10 {
                let token = Token.generated(.device).hash
                let words = try await together(2) {
                    try await database.register("d\(round)", as: $0 == 0 ? .classic : .token(token)).word
                }
                #expect(words == ["registered", "known"] || words == ["tokenNeeded", "registered"], "\(words)")
            }
            #expect(try await database.owner.ask("select count(*) from player") == ["10"])
            #expect(try await database.owner.ask("select count(*) from device where token_hash is null") == ["0"])
        }
    }

    @Test("a refused name makes nothing and binds nothing, and the device is free to come again") func refusedName()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees") { $0.name = .of("Trees for All") }
            _ = try await database.addPlayer("Bob")
            let token = Token.generated(.device).hash
            for device in ["Ada", "Bob"] {
                #expect(
                    try await database.register(device, named: "trees for ALL", as: .token(token)).word == "nameRefused"
                )
            }
            #expect(try await database.register("Ada", named: nil, as: .token(token)).word == "nameMissing")
            #expect(try await database.contents() == ["Bob -"])
            #expect(try await database.owner.ask("select count(*) from device") == ["1"])
            #expect(try await database.register("Ada", as: .token(token)).word == "registered")
            #expect(
                try await database.change(token) { $0.name = try PlayerName("Trees for All", field: "name") }.word
                    == "nameRefused")
            #expect(try await database.contents() == ["Ada \(Hex.text(token.bytes))", "Bob -"])
        }
    }

    @Test("no access makes anything in a game that is not there") func noGame() async throws {
        try await withTestDatabase { database in
            let key = try await database.addKey(to: .defaultGame)
            for access in [Access.classic, .token(Token.generated(.device).hash), .key(key)] {
                #expect(try await database.register("Ada", in: .of("nowhere"), as: access).word == "noGame")
            }
            #expect(try await database.owner.ask("select count(*) from device") == ["0"])
        }
    }

    @Test("a game's key makes and updates players under the game's own ids, of its own game alone") func key()
        async throws
    {
        try await withTestDatabase { database in
            _ = try await database.addGame("maze")
            let (key, second) = (
                try await database.addKey(to: .of("maze")), try await database.addKey(to: .of("maze"), number: 2)
            )
            let foreign = try await database.addKey(to: .defaultGame, number: 3)
            guard
                case .registered(let ada) = try await database.register(
                    "u-7", named: "Ada", in: .of("maze"), as: .key(key))
            else { return noted("not registered") }
            guard
                case .known(let again) = try await database.register(
                    "u-7", named: nil, in: .of("maze"), as: .key(second))
            else { return noted("not known") }
            #expect(again == ada)
            for (access, word) in [
                (Access.key(foreign), "forbidden"), (.key(Token.generated(.game).hash), "unauthorized"),
            ] {
                for id in ["u-7", "u-8"] {
                    #expect(try await database.register(id, named: "Mallory", in: .of("maze"), as: access).word == word)
                }
            }
            // A device may have the same text for a label, and a token's hash is no key's.
            let device = database.secret.hash(of: try DeviceLabel("u-7", field: "id"), in: .of("maze"))
            #expect(
                try await database.store.register(
                    .named("Cy"), device: device, in: .of("maze"), access: .token(key), now: .noon
                ).word == "registered")
            #expect(try await database.change(second) { _ in }.word == "unauthorized")
            #expect(try await database.owner.ask("select name from player order by name") == ["Ada", "Cy"])
            #expect(try await database.owner.ask("select count(*) from device") == ["2"])
        }
    }

    @Test("of twenty calls for one id of the game's own one registers") func oneExternal() async throws {
        try await withTestDatabase { database in
            let key = try await database.addKey(to: .defaultGame)
            let words = try await together(20) { _ in try await database.register("u-7", as: .key(key)).word }
            #expect(words.counts == ["registered": 1, "known": 19])
            #expect(try await database.contents() == ["u-7 -"])
        }
    }

    @Test("what a token changes of its player is what was said, and nothing of anybody else's") func change()
        async throws
    {
        try await withTestDatabase { database in
            let (token, other) = (Token.generated(.device).hash, Token.generated(.device).hash)
            _ = try await database.register("Ada", as: .token(token))
            _ = try await database.register("Bob", as: .token(other))
            let hash = try #require(AvatarHash(bytes: Array(repeating: 7, count: 32)))
            func changed(_ change: (inout Registration) throws -> Void) async throws -> String {
                #expect(try await database.change(token, change).word == "known")
                return try await database.owner.ask(
                    """
                    select concat_ws(' ', name, coalesce(email, '-'), coalesce(country, '-'), avatar is not null,
                                     wants_updates, coalesce(updates_source, '-')) from player where name <> 'Bob'
                    """)[0]
            }
            #expect(
                try await changed {
                    $0.email = .set(try EmailAddress("a@b.example", field: "email"))
                    $0.country = .set(try CountryCode("nz", field: "country"))
                    $0.avatar = .set(Avatar(hash: hash, png: [1]))
                    $0.wantsUpdates = true
                } == "Ada a@b.example NZ t t test")
            #expect(
                try await changed { $0.name = try PlayerName("Ada L.", field: "name") }
                    == "Ada L. a@b.example NZ t t test")
            #expect(try await changed { $0.country = .clear } == "Ada L. a@b.example - t t test")
            #expect(
                try await changed {
                    $0.email = .clear
                    $0.avatar = .clear
                    $0.wantsUpdates = false
                } == "Ada L. - - f f -")
            #expect(
                try await database.change(Token.generated(.device).hash) {
                    $0.name = try PlayerName("M", field: "name")
                }.word == "unauthorized")
            #expect(
                try await database.owner.ask(
                    "select concat_ws(' ', name, email, country, wants_updates) from player where name = 'Bob'") == [
                        "Bob f"
                    ])
        }
    }
}

private func noted(_ words: Comment) { Issue.record(words) }
