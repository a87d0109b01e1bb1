import Credentials
import Domain
@testable import Storage
import TestDatabases
import Testing

extension TourTests {
    /// A player's second device comes by a code, gets another token, and is cut off.
    func devices(_ database: TestDatabase, _ player: Player) async throws {
        let store = database.store
        let (first, second, third) = (Token.generated(.device), Token.generated(.device), Token.generated(.device))
        let (game, name) = (Slug.of("maze"), try PlayerName("Pad", field: "name"))
        let (home, away) = (
            try database.hash("home", in: game, as: .classic), try database.hash("away", in: game, as: .classic)
        )
        guard
            case .registered(let owner) = try await store.register(
                .named("Cy"), device: home, in: game, named: name, access: .token(first.hash), now: .noon)
        else { throw TestDatabaseError("not registered") }
        let calling = try #require(try await store.findDevice(ofToken: first.hash))
        #expect(calling.hash == home && calling.player == owner.id && calling.game == game)
        let code = database.secret.hash(of: PlayerCode.generated(.join), in: game)
        #expect(
            try await store.makeCode(
                code, kind: "join", for: first.hash, now: .noon, expiresAt: .noon.advanced(bySeconds: 1)))
        // An operator's code ends the player's own.
        let lost = database.secret.hash(of: PlayerCode.generated(.join), in: game)
        let end = Instant.noon.advanced(bySeconds: 600)
        #expect(try await store.makeCode(lost, for: owner.id, by: "opal", now: .noon, expiresAt: end))
        let logged = try #require(try await store.admin.log(before: nil, rows: 1).first).entry
        #expect(logged.actor == "opal" && logged.kind == "POST" && logged.subject.contains("\(owner.id.rawValue)"))
        let nobody = Player.ID(rawValue: 1)
        #expect(try await !store.makeCode(lost, for: nobody, by: "opal", now: .noon, expiresAt: end))
        func joining(by code: CodeHash) -> Joining {
            let number = database.secret.number(of: away)
            let access = Access.token(second.hash)
            return Joining(away, in: game, access: access, by: .code(code), number: number, name: nil, now: .noon)
        }
        let refused = joining(by: code)
        if case .joined = try await store.join(refused) { throw TestDatabaseError("joined by a code that has ended") }
        guard case .joined(let joined) = try await store.join(joining(by: lost)), joined == owner else {
            throw TestDatabaseError("not joined")
        }
        let join = try #require(try await store.admin.log(before: nil, rows: 1).first).entry
        #expect(join.kind == "join" && join.values == "code=\(logged.number)")
        #expect(join.subject == "device=\(database.secret.number(of: away));player=\(owner.id.rawValue)")
        // The same token under other labels is the same device.
        for label in [try database.hash("restored", in: game, as: .classic), away] {
            let token = Access.token(second.hash)
            guard
                case .known(let same) = try await store.register(
                    Registration(source: "test"), device: label, in: game, access: token, now: .noon), same == owner
            else { throw TestDatabaseError("not known") }
        }
        let tomorrow = Instant.noon.advanced(bySeconds: 86_400)
        try await store.note(away, token: second.hash, name: name, now: .noon)
        try await store.noteUse(ofToken: second.hash, on: tomorrow.dayInUTC)
        try await store.noteUse(of: home, on: Instant.noon.dayInUTC)
        #expect(
            try await store.devices(ofToken: second.hash)
                == [
                    OwnDevice(hash: home, name: "Pad", joinedAt: .noon, seenOn: Instant.noon.dayInUTC, isThis: false),
                    OwnDevice(
                        hash: away, name: "Pad", joinedAt: .noon, seenOn: tomorrow.dayInUTC, isThis: true,
                        cameBy: .operator),
                ].sorted { $0.hash.bytes.lexicographicallyPrecedes($1.hash.bytes) })
        let rotation = try #require(try await store.rotate(second.hash, to: third.hash, now: .noon))
        #expect(rotation.outcome == .rotated && rotation.device == away)
        #expect(try await store.cutOff(away, by: first.hash, now: .noon) == .cut)
        try await identities(database, first.hash, owner, game)
        try await ties(database, first.hash, owner, game)
        let report = Report(.other, try ReportWords("It is me.", field: "text"))
        #expect(try await store.add(report, of: player.id, by: owner.id, from: nil, now: .noon) == false)
        #expect(try await store.add(report, of: player.id, by: owner.id, from: nil, now: .noon) == true)
        let (kept, codes) = try #require(try await store.findExported(of: player.id, now: .noon))
        #expect(kept.email == "ada@example.org" && kept.facebookID == "77" && kept.picture == [1, 2, 3])
        #expect(kept.game == "default" && kept.updatesSource == nil && kept.voided == 0 && codes.isEmpty)
        let scores = try await store.exportedScores(of: player.id, after: nil, limitRows: 9, now: .noon)
        #expect(scores.contains { $0.name == "A. L." } && scores.last?.score.detail == #"{"a":[1]}"#)
        #expect(
            try await store.exportedDonations(of: player.id, after: nil, limitRows: 9).map(\.donation.points) == [
                10, 2,
            ])
        let reports = try await store.reports(by: owner.id, after: nil, limitRows: 9)
        #expect(reports.map(\.key.player) == [player.id] && reports.first?.words == "It is me.")
        #expect(try await store.reports(by: owner.id, after: reports[0].key, limitRows: 9).isEmpty)
    }

    /// Two players become friends by asking and by a code, and part.
    private func ties(_ database: TestDatabase, _ token: TokenHash, _ owner: Player, _ game: Slug) async throws {
        let store = database.store
        let set = try await store.admin.setGame(game, friends: .requests, now: .noon)
        #expect(set == .set)
        let others = Token.generated(.device).hash
        guard
            case .registered(let other) = try await store.register(
                .named("Di"), device: database.hash("tie", in: game, as: .classic), in: game, access: .token(others),
                now: .noon)
        else { throw TestDatabaseError("not registered") }
        let one = try #require(try await store.findDevice(ofToken: token))
        let two = try #require(try await store.findDevice(ofToken: others))
        #expect(one.friends == .requests)
        let asked = try await store.befriend(other.id, device: one, with: token, now: .noon)
        #expect(asked.outcome == .said && !asked.areFriends)
        let shown = OwnTie(
            list: .asked, other: PublicProfile(id: owner.id, name: owner.name, avatar: owner.avatar), at: .noon)
        #expect(try await store.ties(of: other.id) == [shown])
        #expect(try await store.end(with: owner.id, by: two, with: others, now: .noon) == .said)
        #expect(try await store.block(owner.id, by: two, with: others, now: .noon) == .said)
        #expect(try await store.unblock(owner.id, by: two, with: others, now: .noon) == .said)
        let code = database.secret.hash(of: PlayerCode.generated(.friend), in: game)
        let end = Instant.noon.advanced(bySeconds: 60)
        #expect(try await store.makeFriendCode(code, for: token, now: .noon, expiresAt: end))
        #expect(try await store.findMaker(of: code, now: .noon) == owner.id)
        let made = try await store.befriend(owner.id, by: code, device: two, with: others, now: .noon)
        #expect(made.outcome == .said && made.name == owner.name)
        #expect(try await store.friends(of: owner.id) == [other.id])
        let said = try await store.exportedTies(of: owner.id, after: nil, limitRows: 9)
        #expect(said.map(\.key.other) == [other.id] && said.map(\.says) == ["yes"])
    }

    /// A player signs in at a provider of the game on another device.
    private func identities(_ database: TestDatabase, _ token: TokenHash, _ owner: Player, _ game: Slug) async throws {
        let store = database.store
        let slug = Slug.of("shop")
        let provider = try IdentityProvider(
            kind: .oidc, audiences: ["maze"], issuer: "https://issuer.example", keys: "https://issuer.example/keys")
        #expect(try await store.admin.addProvider(slug, provider, in: game, now: .noon) == .added)
        let change = ProviderChange(audiences: ["maze", "maze.web"], keys: .clear)
        let (outcome, listing) = try await store.admin.setProvider(slug, in: game, change, now: .noon)
        #expect(outcome == .set && listing?.provider.audiences == ["maze", "maze.web"])
        #expect(listing?.provider.issuer == "https://issuer.example" && listing?.provider.keys == nil)
        #expect(try await store.admin.providers(of: game) == [listing])
        #expect(try await store.admin.findProvider(slug, in: game) == listing)
        let identity = database.secret.hash(ofIdentity: "1", at: "https://issuer.example", in: game)
        #expect(try await store.link(identity, by: slug, to: token, now: .noon)?.outcome == .linked)
        let today = Instant.noon.dayInUTC
        #expect(
            try await store.identities(of: owner.id) == [OwnIdentity(provider: slug, linkedAt: .noon, usedOn: today)])
        let phone = try database.hash("phone", in: game, as: .classic)
        let joining = Joining(
            phone, in: game, access: .token(Token.generated(.device).hash), by: .identity(identity), number: "phone",
            name: nil, now: .noon)
        guard case .joined(let joined) = try await store.join(joining), joined == owner else {
            throw TestDatabaseError("not signed in")
        }
        try await store.unlink(slug, from: token)
        #expect(try await store.identities(of: owner.id).isEmpty)
        #expect(try await store.admin.removeProvider(slug, in: game, now: .noon) == .set)
        #expect(try await store.admin.removeProvider(slug, in: game, now: .noon) == .noProvider)
    }
}
