import Credentials
import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// Identities of players, and how they bring devices to them.
@Suite struct IdentityTests {
    private static let provider = Slug.of("google")

    private struct Owner {
        let player: Player.ID
        let token: TokenHash
    }

    private static func owner(_ database: TestDatabase, _ name: String) async throws -> Owner {
        let token = Token.generated(.device).hash
        guard case .registered(let player) = try await database.register(name, as: .token(token)) else {
            throw TestDatabaseError("not registered")
        }
        return Owner(player: player.id, token: token)
    }

    private static func identity(_ subject: String, _ database: TestDatabase) -> IdentityHash {
        database.secret.hash(ofIdentity: subject, at: "https://accounts.google.com", in: .defaultGame)
    }

    private static func link(
        _ subject: String, to owner: Owner, by provider: Slug = provider, _ database: TestDatabase, now: Instant = .noon
    ) async throws -> LinkOutcome? {
        try await database.store.link(identity(subject, database), by: provider, to: owner.token, now: now)?.outcome
    }

    private static func joining(
        _ label: String, _ subject: String, _ database: TestDatabase, token: TokenHash = Token.generated(.device).hash,
        now: Instant = .noon
    ) throws -> Joining {
        let device = try database.hash(label, as: .classic)
        return Joining(
            device, in: .defaultGame, access: .token(token), by: .identity(identity(subject, database)),
            number: database.secret.number(of: device), name: nil, now: now)
    }

    @Test("an identity is of one player, which links one of each provider") func linking() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await Self.owner(database, "Ada"), try await Self.owner(database, "Bob"))
            #expect(try await Self.link("1", to: ada, database) == .linked)
            #expect(try await Self.link("1", to: ada, database) == .known)
            #expect(try await Self.link("1", to: bob, database) == .taken)
            #expect(try await Self.link("2", to: ada, database) == .second)
            for number in 2...Limits.identitiesOfPlayerMax {
                let slug = Slug.of("provider-\(number)")
                #expect(try await Self.link("\(number)", to: ada, by: slug, database) == .linked)
            }
            #expect(try await Self.link("99", to: ada, by: Slug.of("more"), database) == .full)
            let stranger = Owner(player: ada.player, token: Token.generated(.device).hash)
            #expect(try await Self.link("99", to: stranger, database) == nil)
            try await database.store.unlink(Self.provider, from: ada.token)
            try await database.store.unlink(Self.provider, from: ada.token)
            #expect(try await Self.link("1", to: bob, database) == .linked)
            let linked = try await database.store.identities(of: bob.player)
            #expect(linked == [OwnIdentity(provider: Self.provider, linkedAt: .noon, usedOn: Instant.noon.dayInUTC)])
        }
    }

    @Test("of twenty players who link one identity at once exactly one has it") func race() async throws {
        try await withTestDatabase { database in
            var owners: [Owner] = []
            for number in 0..<20 { owners.append(try await Self.owner(database, "P\(number)")) }
            let outcomes = try await together(20) { [owners] number in
                try await Self.link("1", to: owners[number], database)
            }
            #expect(outcomes.count { $0 == .linked } == 1)
            #expect(outcomes.count { $0 == .taken } == 19)
        }
    }

    @Test("an identity brings any number of devices, and is not used up") func joining() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database, "Ada")
            #expect(try await database.store.join(Self.joining("phone", "1", database)).word == "unknown-identity")
            #expect(try await Self.link("1", to: ada, database) == .linked)
            let (token, tomorrow) = (Token.generated(.device).hash, Instant.noon.advanced(bySeconds: 86_400))
            let joining = try Self.joining("phone", "1", database, token: token, now: tomorrow)
            guard case .joined(let player) = try await database.store.join(joining), player.id == ada.player else {
                throw TestDatabaseError("not signed in")
            }
            #expect(try await database.store.join(joining).word == "known")
            #expect(try await database.store.join(Self.joining("pad", "1", database)).word == "joined")
            #expect(try await database.store.join(Self.joining("pad", "1", database)).word == "label-taken")
            let devices = try await database.store.devices(ofToken: ada.token)
            #expect(devices.count == 3 && devices.count { $0.cameBy == .signIn } == 2)
            #expect(try await database.store.identities(of: ada.player).first?.usedOn == tomorrow.dayInUTC)
            // A device that signed in is new while there is an older one.
            let calling = try #require(try await database.store.findDevice(ofToken: token))
            #expect(calling.newUntil(at: tomorrow) != nil)
            #expect(calling.newUntil(at: tomorrow.advanced(bySeconds: 86_400)) == nil)
        }
    }

    @Test("a device with a player of its own leaves it behind, or brings it along") func ownPlayers() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await Self.owner(database, "Ada"), try await Self.owner(database, "Bob"))
            #expect(try await Self.link("1", to: ada, database) == .linked)
            // Bob has no history, so nothing of him is kept: neither may an identity lead to him.
            #expect(try await Self.link("2", to: bob, database) == .linked)
            let leaving = try Self.joining("Bob", "1", database, token: bob.token)
            #expect(try await database.store.join(leaving).word == "joined")
            #expect(try await database.store.identities(of: bob.player).isEmpty)
            #expect(try await database.store.join(Self.joining("tv", "2", database)).word == "unknown-identity")

            let cleo = try await Self.owner(database, "Cleo")
            #expect(try await Self.link("3", to: cleo, database) == .linked)
            try await database.post(5, by: cleo.player, on: "high-scores")
            let staying = try Self.joining("Cleo", "1", database, token: cleo.token)
            #expect(try await database.store.join(staying).word == "has-history")
            #expect(try await database.store.joinMerging(staying, as: UUID(), marker: nil).word == "joined")
            // Both lead to the survivor, though they are of one provider.
            #expect(try await database.store.identities(of: ada.player).count == 2)
            #expect(try await database.store.join(Self.joining("watch", "3", database)).word == "joined")
            let merge = try #require(
                try await database.store.admin.log(before: nil, rows: 5).map(\.entry).first { $0.kind == "merge" })
            #expect(merge.actor == "player")
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a merge takes identities along, and its undoing gives back what came with it") func merging() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await Self.owner(database, "Ada"), try await Self.owner(database, "Bob"))
            #expect(try await Self.link("1", to: ada, database) == .linked)
            #expect(try await Self.link("2", to: bob, database) == .linked)
            let merge = try await database.moderate(.merge(ada.player, into: bob.player))
            #expect(try await database.store.identities(of: bob.player).count == 2)
            #expect(try await database.store.identities(of: ada.player).isEmpty)
            try await database.moderate(.undo(merge))
            #expect(try await Self.link("1", to: ada, database) == .known)
            #expect(try await Self.link("2", to: bob, database) == .known)
            #expect(
                try await database.owner.ask("select count(*) from identity where merged_from is not null") == ["0"])
        }
    }

    @Test("what a merged player links, and brings, during a merge goes back with it") func meanwhile() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await Self.owner(database, "Ada"), try await Self.owner(database, "Bob"))
            #expect(try await Self.link("1", to: ada, database) == .linked)
            let merge = try await database.moderate(.merge(ada.player, into: bob.player))
            // Ada's phone links an account, and signs in on a tablet with the one that it had.
            #expect(try await Self.link("2", to: ada, by: Slug.of("other"), database) == .linked)
            #expect(try await database.store.join(Self.joining("tablet", "1", database)).word == "joined")
            try await database.moderate(.undo(merge))
            #expect(try await database.store.identities(of: ada.player).count == 2)
            #expect(try await database.store.identities(of: bob.player).isEmpty)
            #expect(try await database.store.devices(ofToken: bob.token).count == 1)
            #expect(try await database.store.devices(ofToken: ada.token).count == 2)
        }
    }

    @Test("an identity that another provider of the issuer linked is told as it is linked") func otherSlug()
        async throws
    {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database, "Ada")
            #expect(try await Self.link("1", to: ada, database) == .linked)
            let again = try await database.store.link(
                Self.identity("1", database), by: Slug.of("second"), to: ada.token, now: .noon)
            #expect(again?.outcome == .known && again?.identity.provider == Self.provider)
        }
    }

    @Test("an erasure frees the identity, and a banned player's leads to nobody") func leaving() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await Self.owner(database, "Ada"), try await Self.owner(database, "Bob"))
            #expect(try await Self.link("1", to: ada, database) == .linked)
            try await database.moderate(.ban(ada.player, until: nil))
            #expect(try await database.store.join(Self.joining("phone", "1", database)).word == "banned")
            try await database.moderate(.erase(ada.player, confirming: "Ada"))
            #expect(try await database.owner.ask("select count(*) from identity") == ["0"])
            #expect(try await Self.link("1", to: bob, database) == .linked)
        }
    }

    @Test("a game has some providers, and a change names what it changes from") func providers() async throws {
        try await withTestDatabase { database in
            let game = Slug.defaultGame
            let apple = try IdentityProvider(kind: .apple, audiences: ["org.example.maze"])
            for number in 1...Limits.providersOfGameMax {
                #expect(
                    try await database.store.admin.addProvider(Slug.of("p\(number)"), apple, in: game, now: .noon)
                        == .added)
            }
            #expect(try await database.store.admin.addProvider(Slug.of("p1"), apple, in: game, now: .noon) == .exists)
            #expect(try await database.store.admin.addProvider(Slug.of("more"), apple, in: game, now: .noon) == .full)
            #expect(
                try await database.store.admin.addProvider(Slug.of("p1"), apple, in: Slug.of("none"), now: .noon)
                    == .noGame)
            let change = ProviderChange(audiences: ["org.example.other"])
            let listing = try #require(try await database.store.admin.findProvider(Slug.of("p1"), in: game))
            let set = try await database.store.admin.setProvider(
                Slug.of("p1"), in: game, change, at: listing.version, now: .noon)
            #expect(set.outcome == .set && set.now?.provider.audiences == ["org.example.other"])
            #expect(set.now?.version != listing.version)
            let stale = try await database.store.admin.setProvider(
                Slug.of("p1"), in: game, change, at: listing.version, now: .noon)
            #expect(stale.outcome == .stale)
            #expect(
                try await database.store.admin.setProvider(Slug.of("none"), in: game, change, now: .noon).outcome
                    == .noProvider)
            let entry = try #require(try await database.store.admin.log(before: nil, rows: 1).first).entry
            #expect(entry.kind == "PATCH" && entry.subject == "game=default;provider=p1")
            #expect(entry.values == "audiences=org.example.other")
        }
    }
}
