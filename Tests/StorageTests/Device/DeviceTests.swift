import Credentials
import Domain
import TestDatabases
import Testing

@testable import Storage

@Suite struct DeviceTests {
    /// A player `Ada` of the default game with a token, and a code of hers.
    private struct Owner {
        let player: Player.ID
        let token: TokenHash
        let code: CodeHash
    }

    private static func owner(
        _ database: TestDatabase, named name: String = "Ada", kind: String = "join",
        expiresAt: Instant? = .noon.advanced(bySeconds: 600)
    ) async throws -> Owner {
        let token = Token.generated(.device).hash
        guard case .registered(let player) = try await database.register(name, as: .token(token)) else {
            throw TestDatabaseError("not registered")
        }
        let code = database.secret.hash(of: .generated(.join), in: .defaultGame)
        #expect(try await database.store.makeCode(code, kind: kind, for: token, now: .noon, expiresAt: expiresAt))
        return Owner(player: player.id, token: token, code: code)
    }

    @Test("a code brings one device, and the same device again; a new code ends the former one") func once()
        async throws
    {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database)
            let token = Token.generated(.device).hash
            #expect(try await database.join("pad", token, by: ada.code) == "joined")
            #expect(try await database.join("pad", token, by: ada.code) == "known")
            let late = Instant.noon.advanced(bySeconds: 86_400)
            #expect(try await database.join("pad", token, by: ada.code, now: late) == "known")
            #expect(try await database.join("pad", by: ada.code) == "label-taken")
            #expect(try await database.join("other", by: ada.code) == "refused")
            #expect(try await database.join("elsewhere", token, by: ada.code) == "known")
            let codes = (0..<2).map { _ in database.secret.hash(of: .generated(.join), in: .defaultGame) }
            for code in codes {
                #expect(try await database.store.makeCode(code, kind: "join", for: token, now: .noon, expiresAt: nil))
            }
            #expect(try await database.join("other", by: codes[0]) == "refused")
            #expect(try await database.join("other", by: codes[1]) == "joined")
            #expect(try await database.store.devices(ofToken: ada.token).count == 3)
        }
    }

    @Test("a code ends at its time, a recovery code does not, and each kind is of its own") func expiry() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database)
            let recovery = database.secret.hash(of: .generated(.recovery), in: .defaultGame)
            #expect(
                try await database.store.makeCode(
                    recovery, kind: "recovery", for: ada.token, now: .noon, expiresAt: nil))
            let late = Instant.noon.advanced(bySeconds: 600)
            #expect(try await database.join("pad", by: ada.code, now: late) == "refused")
            #expect(try await database.join("pad", by: recovery, now: late) == "joined")
            #expect(try await database.join("tv", by: recovery, now: late) == "refused")
            #expect(try await database.join("tv", by: ada.code) == "joined")
        }
    }

    @Test("a code that two players happen to have is nobody's") func twins() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await Self.owner(database), try await Self.owner(database, named: "Bob"))
            #expect(
                try await database.store.makeCode(ada.code, kind: "join", for: bob.token, now: .noon, expiresAt: nil))
            #expect(try await database.join("pad", by: ada.code) == "refused")
        }
    }

    @Test("of twenty devices with one code exactly one joins, also when they have players of their own") func race()
        async throws
    {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database)
            let tokens = (0..<20).map { _ in Token.generated(.device).hash }
            for index in 0..<10 { _ = try await database.register("p\(index)", as: .token(tokens[index])) }
            let outcomes = try await together(20) { try await database.join("p\($0)", tokens[$0], by: ada.code) }
            #expect(outcomes.counts == ["joined": 1, "refused": 19])
            #expect(try await database.store.devices(ofToken: ada.token).count == 2)
        }
    }

    @Test("two devices that join each other's player end with both at one of them, or with two players") func crossing()
        async throws
    {
        try await withTestDatabase { database in
            for round in 0..<10 {
                let one = try await Self.owner(database, named: "one\(round)")
                let other = try await Self.owner(database, named: "other\(round)")
                let outcomes = try await together(2) { index in
                    index == 0
                        ? try await database.join("one\(round)", one.token, by: other.code)
                        : try await database.join("other\(round)", other.token, by: one.code)
                }
                let joined = outcomes.counts["joined", default: 0]
                #expect(joined == 1 || joined == 2, "\(outcomes)")
                let owned = try await database.owner.ask(
                    "select count(*)::text from device d left join player p on p.id = d.player_id where p.id is null")
                #expect(owned == ["0"])
            }
        }
    }

    @Test("the last device does not leave players behind who became one with its own") func members() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database)
            let (cy, dee) = (try await Self.owner(database, named: "Cy"), try await Self.owner(database, named: "Dee"))
            let merge = try await database.moderate(.merge(dee.player, into: cy.player))
            #expect(try await database.join("Cy", cy.token, by: ada.code) == "has-history")
            try await database.moderate(.undo(merge))
            #expect(try await database.join("Cy", cy.token, by: ada.code) == "joined")
        }
    }

    @Test("a device with a history does not move, and one without leaves nothing personal behind") func history()
        async throws
    {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database)
            let (poster, newcomer) = (
                try await Self.owner(database, named: "Bob"), try await Self.owner(database, named: "Cy")
            )
            try await database.post(5, by: poster.player, on: "high-scores")
            #expect(try await database.join("Bob", poster.token, by: ada.code) == "has-history")
            let changed = try await database.change(newcomer.token) { registration in
                registration.email = .set(try EmailAddress("cy@example.org", field: "email"))
                registration.wantsUpdates = true
            }
            #expect(changed.word == "known")
            for byte in UInt8(1)...2 {
                let hash = try #require(AvatarHash(bytes: Array(repeating: byte, count: 32)))
                _ = try await database.change(newcomer.token) { $0.avatar = .set(Avatar(hash: hash, png: [byte])) }
            }
            let report = Report(.other, try ReportWords("words", field: "text"))
            for (one, another) in [(newcomer, poster), (poster, newcomer), (newcomer, ada)] {
                #expect(
                    try await database.store.add(report, of: one.player, by: another.player, from: nil, now: .noon)
                        == false)
            }
            try await database.moderate(.rename(newcomer.player, PlayerName("Sid", field: "name")))
            #expect(try await database.join("Cy", newcomer.token, by: ada.code) == "joined")
            // What it had, and what it wrote of others, goes with the one whom it has joined.
            let kept = try await database.owner.ask(
                "select get_byte(sha256, 0) from former_avatar where player_id = \(ada.player.rawValue) order by sha256"
            )
            #expect(kept == ["1", "2"])
            #expect(
                try await database.owner.ask("select player_id || ' ' || reporter_id from report") == [
                    "\(poster.player.rawValue) \(ada.player.rawValue)"
                ])
            #expect(try await database.owner.ask("select count(*) from log_words") == ["0"])
            guard
                case .known(ada.player, own: ada.player) = try await database.store.findCaller(
                    .token(newcomer.token, claims: nil), in: nil, now: .noon)
            else { throw TestDatabaseError("not moved") }
            #expect(try await database.store.findPublicProfile(of: newcomer.player) == nil)
            let left = try await database.owner.ask(
                """
                select concat_ws(' ', name, asked_name, email, wants_updates, updates_since, unlisted) from player
                 where id = \(newcomer.player.rawValue)
                """)
            #expect(left == [" f t"])
            #expect(try await database.join("pad", by: newcomer.code) == "refused")
            #expect(try await Auditor(database.store).findings().allSatisfy { $0.differing == 0 })
        }
    }

    @Test("a player has at most so many devices") func bound() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database)
            for index in 1..<Limits.devicesOfPlayerMax {
                try await database.owner.script(
                    """
                    insert into device (hash, player_id, registered_at)
                    values (sha256('\(index)'::bytea), \(ada.player.rawValue), now())
                    """)
            }
            #expect(try await database.join("pad", by: ada.code) == "refused")
        }
    }

    @Test("the last device stays, and of two that cut each other off at once one does") func cutting() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database)
            let store = database.store
            let home = try database.hash("Ada", as: .classic)
            #expect(try await store.cutOff(home, by: ada.token, now: .noon) == .last)
            let token = Token.generated(.device).hash
            #expect(try await database.join("pad", token, by: ada.code) == "joined")
            let pad = try database.hash("pad", as: .classic)
            let code = database.secret.hash(of: .generated(.recovery), in: .defaultGame)
            #expect(try await store.makeCode(code, kind: "recovery", for: token, now: .noon, expiresAt: nil))
            let outcomes = try await together(2) { index in
                try await index == 0
                    ? store.cutOff(pad, by: ada.token, now: .noon) : store.cutOff(home, by: token, now: .noon)
            }
            #expect(outcomes.contains(.cut) && outcomes.contains { $0 != .cut }, "\(outcomes)")
            // Whoever was cut off has no token any more, and the code of a device ends with it.
            let isPadCut = outcomes[0] == .cut
            #expect(try await store.findDevice(ofToken: isPadCut ? token : ada.token) == nil)
            #expect(try await database.join("tv", by: code) == (isPadCut ? "refused" : "joined"))
            #expect(
                try await store.cutOff(DeviceHash(bytes: Array(0..<32)), by: isPadCut ? ada.token : token, now: .noon)
                    == .noDevice)
            #expect(try await store.cutOff(pad, by: Token.generated(.device).hash, now: .noon) == nil)
        }
    }

    @Test("of rotations at once one holds, the same again changes nothing, and no device takes another's token")
    func rotation() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await Self.owner(database), try await Self.owner(database, named: "Bob"))
            let store = database.store
            #expect(try await store.rotate(ada.token, to: ada.token, now: .noon)?.outcome == .known)
            #expect(try await store.rotate(ada.token, to: bob.token, now: .noon)?.outcome == .taken)
            let tokens = (0..<12).map { _ in Token.generated(.device).hash }
            let outcomes = try await together(12) {
                try await store.rotate(ada.token, to: tokens[$0], now: .noon)?.outcome
            }
            #expect(outcomes.filter { $0 == .rotated }.count == 1 && outcomes.filter { $0 == nil }.count == 11)
            #expect(try await store.findDevice(ofToken: ada.token) == nil)
            // Two devices that ask for the same token at once.
            let new = Token.generated(.device).hash
            let winner = try #require(outcomes.firstIndex(of: .rotated))
            let both = try await together(2) {
                try await store.rotate([tokens[winner], bob.token][$0], to: new, now: .noon)?.outcome
            }
            #expect(Set(both) == [.rotated, .taken])
        }
    }

    @Test("an unlisted player is on boards, and has no profile") func unlisted() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database)
            try await database.post(5, by: ada.player, on: "high-scores")
            #expect(try await database.change(ada.token) { $0.isUnlisted = true }.word == "known")
            let store = database.store
            #expect(try await store.findPublicProfile(of: ada.player) == nil)
            #expect(try await store.findGame(of: ada.player) == nil)
            #expect(try await store.findProfile(ada.player, in: .defaultGame) == nil)
            #expect(try await store.findProfile(ada.player, in: .defaultGame, withUnlisted: true) != nil)
            let own = try await store.ownProfile(of: ada.player, now: .noon).profile
            #expect(own.isUnlisted && own.devicesCount == 1)
            let board = try #require(try await store.findBoard(.highScores, in: .defaultGame, now: .noon))
            #expect(try await store.top(of: board, days: nil, limitRows: 9).count == 1)
            #expect(try await database.change(ada.token) { $0.country = .clear }.word == "known")
            #expect(try await store.ownProfile(of: ada.player, now: .noon).profile.isUnlisted)
        }
    }
}
