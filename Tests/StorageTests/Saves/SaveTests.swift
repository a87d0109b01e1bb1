import Credentials
import Crypto
import Domain
import FoundationEssentials
import Postgres
import TestDatabases
import Testing

@testable import Storage

/// A save's bytes, and their ETag as the server makes it.
struct TestSave {
    let body: [UInt8]
    let etag: SaveETag

    init(_ text: String) {
        body = Array(text.utf8)
        guard let etag = SaveETag(bytes: Array(SHA256.hash(data: body).prefix(16))) else {
            preconditionFailure("a SHA-256 has 32 bytes")
        }
        self.etag = etag
    }
}

@Suite struct SaveTests {
    private struct Owner {
        let id: Player.ID
        let token: TokenHash
    }

    /// - Parameter posts: Whether it has a score that counts.
    private static func owner(_ database: TestDatabase, _ name: String, posts: Bool = true) async throws -> Owner {
        let token = Token.generated(.device).hash
        guard case .registered(let player) = try await database.register(name, as: .token(token)) else {
            throw TestDatabaseError("not registered")
        }
        if posts { try await database.post(7, by: player.id, on: "high-scores", at: .noon) }
        return Owner(id: player.id, token: token)
    }

    private static func put(
        _ database: TestDatabase, _ text: String, in slot: String = "a", by owner: Owner, after expected: String? = nil
    ) async throws -> SaveOutcome? {
        let save = TestSave(text)
        return try await database.store.save(
            save.body, save.etag, in: .of(slot), of: owner.token,
            expected: expected.map { .version(TestSave($0).etag) } ?? .nothing, now: .noon)
    }

    /// What the slots of a player have.
    private static func bodies(_ database: TestDatabase, of owner: Owner) async throws -> [String: String] {
        var bodies: [String: String] = [:]
        for save in try await database.store.saves(of: owner.id) {
            let found = try await database.store.findSave(of: owner.id, in: save.slot, etag: nil)
            bodies[save.slot.description] = found.map { String(decoding: $0.body, as: UTF8.self) }
        }
        return bodies
    }

    @Test("a write says what it has seen, and the same bytes are no second one") func conditional() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database, "Ada")
            let stored = SaveOutcome.stored(savedAt: .noon, isNew: true)
            #expect(try await Self.put(database, "one", by: ada, after: "zero") == .stale(nil))
            #expect(try await Self.put(database, "one", by: ada) == stored)
            #expect(try await Self.put(database, "one", by: ada) == .known(savedAt: .noon))
            #expect(try await Self.put(database, "one", by: ada, after: "zero") == .known(savedAt: .noon))
            #expect(try await Self.put(database, "two", by: ada) == .stale(TestSave("one").etag))
            let two = TestSave("two")
            let unlike = try await database.store.save(
                two.body, two.etag, in: .of("a"), of: ada.token, expected: .version(nil), now: .noon)
            #expect(unlike == .stale(TestSave("one").etag))
            #expect(try await Self.bodies(database, of: ada) == ["a": "one"])
            let nobody = Owner(id: ada.id, token: Token.generated(.device).hash)
            #expect(try await Self.put(database, "one", by: nobody) == nil)
            #expect(try await database.store.deleteSave(in: .of("a"), of: nobody.token, expected: nil) == nil)
        }
    }

    @Test("five earlier versions stay, and a slot that was emptied begins anew") func versions() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database, "Ada")
            for number in 0..<9 {
                _ = try await Self.put(database, "\(number)", by: ada, after: number == 0 ? nil : "\(number - 1)")
            }
            let versions = try await database.store.saveVersions(of: ada.id, in: .of("a")).map(\.etag)
            #expect(versions == (3..<9).reversed().map { TestSave("\($0)").etag })
            #expect(try await database.store.findSave(of: ada.id, in: .of("a"), etag: TestSave("2").etag) == nil)
            let deleted = try await database.store.deleteSave(in: .of("a"), of: ada.token, expected: TestSave("8").etag)
            #expect(deleted == .deleted)
            #expect(try await database.store.saveVersions(of: ada.id, in: .of("a")) == [])
            #expect(try await Self.put(database, "8", by: ada) == .stored(savedAt: .noon, isNew: true))
        }
    }

    @Test("a player has sixteen slots, and of many who fill one at once one does") func bounds() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database, "Ada")
            let outcomes = try await together(8) { try await Self.put(database, "\($0)", in: "s0", by: ada) }
            #expect(outcomes.filter { $0 == .stored(savedAt: .noon, isNew: true) }.count == 1)
            let current = try #require(try await database.store.saves(of: ada.id).first).etag
            #expect(outcomes.filter { $0 == .stale(current) }.count == 7)
            for number in 1..<16 { _ = try await Self.put(database, "x", in: "s\(number)", by: ada) }
            #expect(try await Self.put(database, "x", in: "s16", by: ada) == .slotsFull)
            #expect(try await Self.put(database, "y", in: "s15", by: ada, after: "x") != .slotsFull)
            #expect(try await database.store.saves(of: ada.id).count == 16)
        }
    }

    @Test("a player has one small slot until a score counts, and all slots from then on") func first() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database, "Ada", posts: false)
            let (fits, large) = (String(repeating: "x", count: 4_096), String(repeating: "x", count: 4_097))
            #expect(try await Self.put(database, large, by: ada) == .postFirst)
            #expect(try await Self.put(database, fits, by: ada) == .stored(savedAt: .noon, isNew: true))
            #expect(try await Self.put(database, "two", in: "b", by: ada) == .postFirst)
            #expect(try await Self.put(database, large, by: ada, after: fits) == .postFirst)
            #expect(try await Self.put(database, "y", by: ada, after: fits) == .stored(savedAt: .noon, isNew: false))
            let id = UUID()
            try await database.post(7, by: ada.id, on: "high-scores", id: id, at: .noon)
            try await database.moderate(.void(ada.id, score: id))
            #expect(try await Self.put(database, "two", in: "b", by: ada) == .postFirst, "voided scores do not count")
            try await database.post(7, by: ada.id, on: "high-scores", at: .noon)
            #expect(try await Self.put(database, "two", in: "b", by: ada) == .stored(savedAt: .noon, isNew: true))
            #expect(try await Self.put(database, large, by: ada, after: "y") == .stored(savedAt: .noon, isNew: false))
            // One that earns nothing counts as well.
            let bob = try await Self.owner(database, "Bob", posts: false)
            try await database.post(7, by: bob.id, on: "high-scores", at: .noon)
            try await database.owner.script("update wallet set earned = 0 where player_id = \(bob.id.rawValue)")
            #expect(try await Self.put(database, large, by: bob) == .stored(savedAt: .noon, isNew: true))
        }
    }

    @Test("a score that is held in secret counts for saves, also when it is voided, until its player is told")
    func secret() async throws {
        try await withTestDatabase { database in
            try await database.addBoard("trials") { $0.judgeMinutes = 60 }
            let told = Instant.noon.advanced(bySeconds: 601)
            for (name, voids) in [("Ada", false), ("Bob", true)] {
                let owner = try await Self.owner(database, name, posts: false)
                let id = UUID()
                try await database.post(7, by: owner.id, on: "trials", id: id, at: .noon)
                if voids { try await database.moderate(.void(owner.id, score: id)) }
                #expect(try await Self.put(database, "one", by: owner) == .stored(savedAt: .noon, isNew: true))
                #expect(try await Self.put(database, "two", in: "b", by: owner) == .stored(savedAt: .noon, isNew: true))
                let save = TestSave("three")
                let later = try await database.store.save(
                    save.body, save.etag, in: .of("c"), of: owner.token, expected: .nothing, now: told)
                #expect(later == .postFirst)
            }
        }
    }

    @Test("who is merged while a write waits for its lock writes under the lock of the other player")
    func mergedMeanwhile() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await Self.owner(database, "Ada"), try await Self.owner(database, "Bob"))
            let merging = try await Connection.open(database.owner, logger: .none)
            let other = try await Connection.open(database.owner, logger: .none)
            try await merging.script("begin; select from wallet where player_id = \(ada.id.rawValue) for update")
            try await other.script("begin; update wallet set banned = true where player_id = \(bob.id.rawValue)")
            async let outcome = Self.put(database, "one", by: ada)
            func waiting() async throws -> [String] {
                try await database.owner.ask(
                    """
                    select count(*)::text from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock'
                    """)
            }
            while try await waiting() == ["0"] { try await Task.sleep(for: .milliseconds(10)) }
            try await merging.script("update device set player_id = \(bob.id.rawValue); commit")
            // It either waits for the other player now, or has written without that one's lock.
            try await Task.sleep(for: .milliseconds(300))
            try await other.script("commit")
            #expect(try await outcome == .banned)
            merging.close()
            other.close()
        }
    }

    @Test("who is banned saves nothing, and deletes nothing") func banned() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database, "Ada")
            _ = try await Self.put(database, "one", by: ada)
            try await database.moderate(.ban(ada.id, until: nil))
            #expect(try await Self.put(database, "two", by: ada, after: "one") == .banned)
            let deletion = try await database.store.deleteSave(
                in: .of("a"), of: ada.token, expected: TestSave("one").etag)
            #expect(deletion == .banned)
            #expect(try await Self.bodies(database, of: ada) == ["a": "one"])
        }
    }

    @Test("slots that the survivor of a merge lacks come with the other, and go with it again") func merged()
        async throws
    {
        try await withTestDatabase { database in
            let (ada, bob, cy) = (
                try await Self.owner(database, "Ada"), try await Self.owner(database, "Bob"),
                try await Self.owner(database, "Cy")
            )
            _ = try await Self.put(database, "ada's", in: "both", by: ada)
            _ = try await Self.put(database, "bob's", in: "both", by: bob)
            _ = try await Self.put(database, "b", in: "own", by: bob)
            _ = try await Self.put(database, "c", in: "cy", by: cy)
            let second = try await database.moderate(.merge(cy.id, into: bob.id))
            let first = try await database.moderate(.merge(bob.id, into: ada.id))
            #expect(try await Self.bodies(database, of: ada) == ["both": "ada's", "own": "b", "cy": "c"])
            #expect(try await Self.bodies(database, of: bob) == ["both": "bob's"])
            // The previous device speaks for the survivor, and what it saves is the survivor's.
            _ = try await Self.put(database, "b2", in: "own", by: bob, after: "b")
            #expect(try await Self.bodies(database, of: ada)["own"] == "b2")
            try await database.moderate(.undo(first))
            #expect(try await Self.bodies(database, of: ada) == ["both": "ada's", "own": "b2"])
            #expect(try await Self.bodies(database, of: bob) == ["both": "bob's", "own": "b", "cy": "c"])
            try await database.moderate(.undo(second))
            #expect(try await Self.bodies(database, of: bob) == ["both": "bob's", "own": "b"])
            #expect(try await Self.bodies(database, of: cy) == ["cy": "c"])
            let exported = try await database.store.exportedSaves(of: ada.id, after: nil, limitRows: 99)
            #expect(exported.map(\.key.slot.description) == ["both", "own"])
            let asked = "select count(*) from save where merged_from is not null"
            #expect(try await database.owner.ask(asked) == ["0"], "they came from nobody else")
        }
    }

    @Test("a merge fills sixteen slots at most") func mergedFull() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await Self.owner(database, "Ada"), try await Self.owner(database, "Bob"))
            for number in 10..<20 { _ = try await Self.put(database, "x", in: "a\(number)", by: ada) }
            for number in 10..<20 { _ = try await Self.put(database, "x", in: "b\(number)", by: bob) }
            try await database.moderate(.merge(bob.id, into: ada.id))
            #expect(try await Self.bodies(database, of: ada).keys.count == 16)
            #expect(try await Self.bodies(database, of: bob).keys.sorted() == ["b16", "b17", "b18", "b19"])
            // Everything that is kept is in the export, wherever it is.
            #expect(try await database.store.exportedSaves(of: ada.id, after: nil, limitRows: 99).count == 20)
        }
    }

    @Test("saves go with an erasure, and a device with saves leaves nobody behind") func leaving() async throws {
        try await withTestDatabase { database in
            let ada = try await Self.owner(database, "Ada", posts: false)
            let bob = try await Self.owner(database, "Bob", posts: false)
            _ = try await Self.put(database, "a", by: ada)
            _ = try await Self.put(database, "b", by: bob)
            let code = database.secret.hash(of: .generated(.join), in: .defaultGame)
            let end = Instant.noon.advanced(bySeconds: 600)
            #expect(try await database.store.makeCode(code, kind: "join", for: ada.token, now: .noon, expiresAt: end))
            let device = try #require(try await database.store.findDevice(ofToken: bob.token)).hash
            let joining = Joining(
                device, in: .defaultGame, access: .token(bob.token), by: .code(code), number: "pad", name: nil,
                now: .noon)
            guard case .hasHistory = try await database.store.join(joining) else {
                throw TestDatabaseError("the saves were left behind")
            }
            try await database.moderate(.erase(bob.id, confirming: "Bob"))
            #expect(try await database.owner.ask("select player_id::text from save") == ["\(ada.id.rawValue)"])
        }
    }

    @Test("the number of what a player is told is another one after each change of it, and only then") func told()
        async throws
    {
        try await withTestDatabase { database in
            let (ada, bob) = (try await Self.owner(database, "Ada"), try await Self.owner(database, "Bob"))
            var seen: Set<Int64> = []
            func version() async throws -> Int64 {
                let versions = try await database.store.ownVersions(of: [ada.token, bob.token], now: .noon, timedBy: 5)
                return try #require(versions[ada.token])
            }
            seen.insert(try await version())
            _ = try await Self.put(database, "b", by: bob)
            _ = try await database.post(7, by: bob.id, on: "high-scores", at: .noon)
            #expect(try await seen.contains(version()), "what another one does changes nothing")
            let changes: [() async throws -> Void] = [
                { _ = try await Self.put(database, "1", by: ada) },
                { _ = try await Self.put(database, "2", by: ada, after: "1") },
                // Back to what it was is a change all the same.
                { _ = try await Self.put(database, "1", by: ada, after: "2") },
                { _ = try await database.post(7, by: ada.id, on: "high-scores", at: .noon) },
                { try await database.owner.script("update player set name = 'Eve' where id = \(ada.id.rawValue)") },
                { try await database.owner.script(Self.invitation(of: ada.id)) },
                { try await database.owner.script("update entry set state = 'entered'") },
                { try await database.owner.script("update challenge set last_day = '2026-11-19'") },
                { try await database.owner.script("update entry set settled_at = '2026-11-20T12:00:00Z'") },
                { try await database.owner.script(Self.award("first", to: ada.id, at: "2026-11-18")) },
                // An older one. Then the newest one is withdrawn.
                { try await database.owner.script(Self.award("second", to: ada.id, at: "2026-11-17")) },
                { try await database.owner.script("delete from award_given where given_at = '2026-11-18'") },
                { try await database.owner.script("update award_given set given_at = '2026-11-19'") },
                { try await database.moderate(.merge(bob.id, into: ada.id)) },
            ]
            for (number, change) in changes.enumerated() {
                try await change()
                #expect(try await seen.insert(version()).inserted, "change \(number)")
            }
            let unknown = try await database.store.ownVersions(of: [TokenHash(bytes: [])], now: .noon, timedBy: 5)
            #expect(unknown.isEmpty)
        }
    }

    /// Invites a player to a challenge until tomorrow.
    private static func invitation(of player: Player.ID) -> String {
        """
        insert into challenge (id, made_by, board_id, first_day, last_day, stake, made_at)
        select '12345678-1234-4123-8123-123456789012', 0, max(id), '2026-11-18', '2026-11-21', 0, now() from board;
        insert into entry (player_id, contest, state, at)
        values (\(player.rawValue), '12345678-1234-4123-8123-123456789012', 'invited', now());
        """
    }

    /// Adds an award, and gives it to a player.
    private static func award(_ slug: String, to player: Player.ID, at day: String) -> String {
        """
        with added as (
          insert into award (game_id, slug, name, rule, added_at) values (1, '\(slug)', 'A', 'granted', now()) returning id
        )
        insert into award_given (player_id, award_id, given_at) select \(player.rawValue), id, '\(day)' from added;
        """
    }
}
