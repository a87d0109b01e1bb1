import Credentials
import Domain
import Foundation
import TestDatabases
import Testing

@testable import Storage

/// A caller who may not speak for a player must not get in the player's way: its rows take neither the player's turn in
/// a batch nor the player's lock, and leave nothing in the log.
@Suite struct RefusedTurnTests {
    @Test("rows of strangers who name a player take no turn: the player's own row after them is judged with them")
    func turns() async throws {
        try await withVictim { victim async throws in
            let scores = victim.strangers.map { victim.score(by: $0.caller) }
            let donations = victim.strangers.map { victim.donation(by: $0.caller) }
            let (ofScores, ofDonations) = (victim.strangers.map(\.ofScore), victim.strangers.map(\.ofDonation))
            let score = victim.score(by: victim.caller)
            #expect(try await victim.commit(scores + [score], []) == ofScores + ["recorded"])
            let ownDonations = [victim.donation(by: victim.caller), victim.donation(by: victim.caller)]
            #expect(try await victim.commit([], donations + [ownDonations[0]]) == ofDonations + ["recorded"])
            #expect(try await victim.commit(scores, [ownDonations[1]]) == ofScores + ["recorded"])
            #expect(try await victim.database.auditComplaints() == [])
        }
    }

    @Test("rows of strangers lock nobody, and a batch of them writes nothing to the log") func locks() async throws {
        try await withVictim { victim async throws in
            // A lock of a row stays in the row as xmax, also when its transaction has ended.
            let locks = "select player_id || ' ' || xmin || ' ' || xmax from wallet order by 1"
            let before = try await victim.database.owner.ask(locks)
            let refused = try await victim.database.store.commit(
                scores: victim.strangers.map { victim.score(by: $0.caller) },
                donations: victim.strangers.map { victim.donation(by: $0.caller) }, isRepeated: false, marker: "marker",
                now: .noon)
            #expect(!refused.isJudged)
            #expect(try await victim.database.owner.ask(locks) == before)
            let judged = try await victim.database.store.commit(
                scores: [victim.score(by: victim.caller)], donations: [], isRepeated: false, marker: "marker",
                now: .noon)
            #expect(judged.isJudged)
            #expect(try await victim.database.owner.ask(locks) != before)
        }
    }

    @Test("strangers who register somebody's device, or post under it, do not lock its player") func registrations()
        async throws
    {
        try await withVictim { victim async throws in
            let database = victim.database
            let locks = "select player_id || ' ' || xmin || ' ' || xmax from wallet order by 1"
            let before = try await database.owner.ask(locks)
            let stranger = Token.generated(.device).hash
            #expect(try await database.register("Ada", named: "Eve", as: .token(stranger)).word == "label-taken")
            #expect(try await database.register("Ada", named: "Eve", as: .newToken(stranger)).word == "label-taken")
            #expect(try await database.register("Ada", named: "Eve", as: .classic).word == "tokenNeeded")
            let label = try DeviceLabel("u-7", field: "id")
            let external = database.secret.hash(ofExternal: label, in: .defaultGame)
            let invented = try await database.store.register(
                .named("Eve"), device: external, in: .defaultGame, access: .key(Token.generated(.game).hash), now: .noon
            )
            #expect(invented.word == "unauthorized")
            let post = try await database.store.registerAndRecord(
                .named("Eve"), device: try database.device(of: "Ada"), in: database.game, marker: nil, now: .noon
            ) { _ in victim.score(by: victim.caller) }
            guard case .unregistered(.tokenNeeded) = post else {
                Issue.record("\(post)")
                return
            }
            #expect(try await database.owner.ask(locks) == before)
        }
    }

    @Test("a token that is remembered for its player speaks for nobody else whom a row names") func claims()
        async throws
    {
        try await withVictim { victim async throws in
            let database = victim.database
            guard case .token(let token, _) = victim.caller else { throw TestDatabaseError("no token") }
            let cy = try await database.addPlayer("Cy", points: 100)
            let known = KnownCallers { true }
            known.setFollowing(true)
            func outcomes(claiming player: Player.ID?) async throws -> [String] {
                let caller = Caller.token(token, claims: player)
                func commit(_ scores: [NewScore], _ donations: [NewDonation]) async throws -> [String] {
                    let receipts = try await database.store.commit(
                        scores: scores, donations: donations, isRepeated: false, marker: nil, known: known, now: .noon)
                    return receipts.scores.map(\.outcome.rawValue) + receipts.donations.map(\.outcome.rawValue)
                }
                return try await commit([victim.score(by: caller)], []) + commit([], [victim.donation(by: caller)])
            }
            #expect(try await outcomes(claiming: nil) == ["recorded", "recorded"])
            #expect(known.count == 2)
            #expect(try await outcomes(claiming: cy) == ["forbidden", "forbidden"])
            #expect(try await outcomes(claiming: victim.caller.player) == ["recorded", "recorded"])
            #expect(known.count == 2)
        }
    }

    @Test("for a player who was erased since its caller was known, nothing is recorded, even before anybody says so")
    func erased() async throws {
        try await withVictim { victim async throws in
            let database = victim.database
            let ada = try #require(victim.caller.player)
            let key = try await database.addKey(to: .defaultGame, number: 3)
            let known = KnownCallers { true }
            known.setFollowing(true)
            func commit(donates: Bool) async throws -> [String] {
                let score = NewScore(
                    5, by: .key(key, .player(ada)), on: .highScores, in: .defaultGame, id: UUID(), detail: "{}",
                    name: try PlayerName("Ada Lovelace", field: "name"), reachedAt: .noon)
                let receipts = try await database.store.commit(
                    scores: donates ? [] : [score],
                    donations: donates ? [victim.donation(by: .key(key, .player(ada)))] : [], isRepeated: false,
                    marker: nil, known: known, now: .noon)
                return receipts.scores.map(\.outcome.rawValue) + receipts.donations.map(\.outcome.rawValue)
            }
            let rows = "select (select count(*) from score) || ' ' || (select count(*) from donation)"
            for donates in [false, true] {
                #expect(try await commit(donates: donates) == ["recorded"])
                #expect(try await commit(donates: donates) == ["recorded"])
            }
            #expect(known.count == 2)
            let before = try await database.owner.ask(rows)
            let erase = ModerationAction(.erase(ada, confirming: "Ada"), id: UUID(), reason: .left)
            guard case .done = try await database.store.admin.perform(erase, by: "player", now: .noon) else {
                throw TestDatabaseError("Ada was not erased")
            }
            #expect(known.count == 2, "nobody has told")
            // What was asked for a score and for a donation is forgotten apart.
            for donates in [false, true] {
                #expect(known.count == (donates ? 1 : 2))
                #expect(try await commit(donates: donates) == ["deferred"])
            }
            #expect(known.count == 0)
            for donates in [false, true] { #expect(try await commit(donates: donates) == ["no-player"]) }
            #expect(try await database.owner.ask(rows) == before)
            #expect(try await database.owner.ask("select count(*)::text from score_note") == ["0"])
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("a game's key speaks for players until the instant at which it ends") func ended() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada")
            let end = Instant.noon.advanced(bySeconds: 60)
            let key = NewKey(
                id: UUID(), game: .defaultGame, hash: Token.generated(.game).hash, name: .of("key"), scopes: .ofGames,
                expiresAt: end)
            #expect(try await database.store.admin.addKey(key, now: .noon).0 == .added)
            func outcome(at now: Instant) async throws -> ScoreOutcome {
                let score = NewScore(
                    5, by: .key(key.hash, .player(ada)), on: .highScores, in: .defaultGame, id: UUID(), reachedAt: now)
                return try await database.store.recordOnce([score], now: now)[0].outcome
            }
            #expect(try await outcome(at: Instant(microsecondsSince1970: end.microsecondsSince1970 - 1)) == .recorded)
            #expect(try await outcome(at: end) == .unauthorized)
        }
    }

    /// A caller who may not speak for the player whom it names, and what becomes of its rows.
    private struct Stranger {
        let caller: Caller
        let ofScore: String
        let ofDonation: String

        init(_ caller: Caller, _ outcome: String, ofDonation: String? = nil) {
            self.caller = caller
            ofScore = outcome
            self.ofDonation = ofDonation ?? outcome
        }
    }

    /// A player with points and a token, another one whom a game's key speaks for, and callers who may speak for
    /// neither.
    private struct Victim {
        let database: TestDatabase
        let caller: Caller
        let strangers: [Stranger]

        func score(by caller: Caller) -> NewScore {
            NewScore(5, by: caller, on: .highScores, in: .defaultGame, id: UUID(), reachedAt: .noon)
        }

        func donation(by caller: Caller) -> NewDonation {
            NewDonation(1, by: caller, to: CharityName(.of("trees")), in: .defaultGame, id: UUID(), reachedAt: .noon)
        }

        /// Commits one batch, and returns the outcomes: those of the scores first.
        func commit(_ scores: [NewScore], _ donations: [NewDonation]) async throws -> [String] {
            let receipts = try await database.store.commit(
                scores: scores, donations: donations, isRepeated: false, marker: nil, now: .noon)
            return receipts.scores.map(\.outcome.rawValue) + receipts.donations.map(\.outcome.rawValue)
        }
    }

    private func withVictim(_ body: (Victim) async throws -> Void) async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            _ = try await database.addGame("maze")
            let ada = try await database.addPlayer("Ada", points: 100)
            let token = Token.generated(.device).hash
            guard case .known = try await database.register("Ada", named: nil, as: .token(token)) else {
                throw TestDatabaseError("Ada has no token")
            }
            let revoked = try await database.addKey(to: .defaultGame)
            guard case .registered(let bob) = try await database.register("u-7", named: "Bob", as: .key(revoked)) else {
                throw TestDatabaseError("Bob is not registered")
            }
            guard try await database.store.admin.revokeKey(numbered: 1, of: .defaultGame, now: .noon) == .set else {
                throw TestDatabaseError("the key is not revoked")
            }
            let foreign = try await database.addKey(to: .of("maze"), number: 2)
            let invented = Token.generated(.game).hash
            let external = database.secret.hash(ofExternal: try DeviceLabel("u-7", field: "id"), in: .defaultGame)
            let strangers: [Stranger] = [
                Stranger(.key(invented, .player(ada)), "unauthorized"),
                Stranger(.key(invented, .external(external)), "unauthorized"),
                Stranger(.key(revoked, .player(bob.id)), "unauthorized"),
                Stranger(.token(invented, claims: ada), "unauthorized"),
                Stranger(.device(try database.device(of: "Ada")), "token-needed"),
                // A donation names no game, so there another game's key meets no player.
                Stranger(.key(foreign, .player(ada)), "forbidden", ofDonation: "no-player"),
            ]
            try await body(Victim(database: database, caller: .token(token, claims: ada), strangers: strangers))
        }
    }
}
