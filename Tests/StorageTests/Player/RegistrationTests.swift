import Credentials
import Domain
import Foundation
import Logging
import Postgres
import TestDatabases
import Testing

@testable import Storage

@Suite struct RegistrationTests {
    private func registration(_ name: String?, wantsUpdates: Bool? = nil) throws -> Registration {
        Registration(
            name: try name.map { try PlayerName($0, field: "name") }, wantsUpdates: wantsUpdates, source: "test")
    }

    private static func player(_ outcome: RegistrationOutcome) -> (player: Player, isNew: Bool)? {
        switch outcome {
        case .registered(let player): (player, true)
        case .known(let player), .renamed(let player): (player, false)
        default: nil
        }
    }

    @Test("concurrent twins of one device make one player with one wallet") func twins() async throws {
        try await withTestDatabase { database in
            let device = try database.device(of: "Ada")
            let asked = try registration("Ada")
            let outcomes = try await withThrowingTaskGroup(of: RegistrationOutcome.self) { twins in
                for _ in 0..<16 {
                    twins.addTask {
                        try await database.store.register(asked, device: device, in: database.game.slug, now: .noon)
                    }
                }
                return try await twins.reduce(into: []) { $0.append($1) }
            }
            let players = outcomes.compactMap(Self.player)
            #expect(players.count == 16)
            #expect(players.filter(\.isNew).count == 1)
            #expect(Set(players.map(\.player.id)).count == 1)
            for table in ["player", "wallet", "device"] {
                #expect(try await database.owner.ask("select count(*) from \(table)") == ["1"])
            }
        }
    }

    @Test("two registrations with one new token at once are one player's, and no fault is logged") func oneToken()
        async throws
    {
        try await withTestDatabase { lent in
            let log = CapturedLog(level: .info)
            let limits = PoolLimits(connectionsMax: 8, waitMax: .seconds(60))
            let pool = Pool(lent.server, limits: limits, logger: .none)
            var racing = lent
            racing.store = Store(general: pool, ledger: pool, logger: log.logger)
            let database = racing
            try await database.owner.script(
                """
                create function await_turn() returns trigger language plpgsql security definer as $$ begin
                  perform set_config('lock_timeout', '0', true);
                  perform pg_advisory_xact_lock(7);
                  return new;
                end $$;
                create trigger await_turn before insert on player for each row execute function await_turn()
                """)
            try await withThrowingTaskGroup(of: Void.self) { services in
                services.addTask { try await pool.run() }
                defer { services.cancelAll() }
                for labels in [["phone", "pad"], ["watch", "watch"]] {
                    let token = Token.generated(.device).hash
                    // The first one waits to make its player, and the other one for the first.
                    let lock = try await Connection.open(database.owner, logger: .none)
                    try await lock.script("begin; select pg_advisory_xact_lock(7)")
                    async let both = together(2) { index in
                        try await database.register(labels[index], named: "Ada", as: .token(token))
                    }
                    let deadline = ContinuousClock.now + .seconds(60)
                    while try await Self.waiting(database) < 2, ContinuousClock.now < deadline {
                        try await Task.sleep(for: .milliseconds(10))
                    }
                    #expect(try await Self.waiting(database) == 2)
                    try await lock.script("commit")
                    lock.close()
                    let outcomes = try await both
                    #expect(Set(outcomes.map(\.word)) == ["registered", "known"])
                    #expect(Set(outcomes.compactMap(Self.player).map(\.player.id)).count == 1)
                    let device = try await database.store.findDevice(ofToken: token)
                    #expect(device?.player == outcomes.compactMap(Self.player).first?.player.id)
                }
                #expect(log.lines == [])
            }
        }
    }

    /// How many sessions wait for a lock.
    private static func waiting(_ database: TestDatabase) async throws -> Int {
        let counted = try await database.owner.ask(
            """
            select count(*)::text from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'
            """)
        return counted.first.flatMap { Int($0) } ?? 0
    }

    @Test("a race that is lost again and again is logged once, as the fault that it is then") func lostRaces()
        async throws
    {
        try await withTestDatabase { lent in
            let log = CapturedLog(level: .info)
            let pool = Pool(lent.server, limits: PoolLimits(connectionsMax: 2, waitMax: .seconds(60)), logger: .none)
            let store = Store(general: pool, ledger: pool, logger: log.logger)
            try await lent.owner.script("create table taken (n int primary key); insert into taken values (1)")
            try await lent.owner.script("grant insert on taken to causeboard_server")
            var attemptsCount = 0
            await #expect(throws: StoreError.bug(.uniqueViolation)) {
                try await store.racing { attempt throws(StoreError) in
                    attemptsCount += 1
                    try await store.registering(attempt) { connection throws(PostgresError) in
                        try await connection.script("insert into taken values (1)")
                    }
                }
            }
            #expect(attemptsCount == 4)
            #expect(log.messages == ["the database refused a statement"])
        }
    }

    @Test("where renames are counted a new name is told, and where they are refused it changes nothing") func renames()
        async throws
    {
        try await withTestDatabase { database in
            let device = try database.device(of: "Ada")
            func register(_ name: String?, _ renames: Registration.Renames, country: String = "nz") async throws
                -> String
            {
                var asked = try registration(name)
                asked.renames = renames
                asked.country = .set(try CountryCode(country, field: "country"))
                return try await database.store.register(asked, device: device, in: database.game.slug, now: .noon).word
            }
            #expect(try await register("Ada", .refused) == "registered", "a new player has no former name")
            for renames in [Registration.Renames.free, .counted, .refused] {
                #expect(try await register("Ada", renames) == "known")
                #expect(try await register(nil, renames) == "known")
            }
            #expect(try await register("Zoe", .counted) == "renamed")
            #expect(try await register("Eve", .refused, country: "de") == "tooManyRenames")
            #expect(try await database.owner.ask("select name || ' ' || country from player") == ["Zoe NZ"])
            #expect(try await register("Eve", .free) == "known")
        }
    }

    @Test("many devices at once make as many players") func many() async throws {
        try await withTestDatabase { database in
            let ids = try await withThrowingTaskGroup(of: Player.ID.self) { newcomers in
                for index in 0..<40 { newcomers.addTask { try await database.addPlayer("player \(index)") } }
                return try await newcomers.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(ids.count == 40)
            #expect(ids.allSatisfy { (1...Limits.classicPlayerIDMax).contains($0.rawValue) })
            #expect(ids.contains { $0.rawValue > 1 << 20 }, "random, so not a count")
        }
    }

    @Test("new ids of other games have at most 15 digits, and a device of one game is unknown in another")
    func otherGames() async throws {
        try await withTestDatabase { database in
            let maze = try await database.addGame("maze")
            let there = try await database.addPlayer("Ada", in: maze)
            let here = try await database.addPlayer("Ada")
            #expect(there != here)
            var ids = [there.rawValue]
            for index in 0..<20 { ids.append(try await database.addPlayer("p\(index)", in: maze).rawValue) }
            // A spreadsheet keeps 15 significant digits.
            #expect(Limits.newPlayerIDMax < 1_000_000_000_000_000)
            #expect(ids.allSatisfy { (1...Limits.newPlayerIDMax).contains($0) })
            #expect(ids.contains { $0 > Limits.classicPlayerIDMax })
            #expect(try await database.store.findProfile(there, in: maze.slug)?.name == "Ada")
            #expect(try await database.store.findProfile(there, in: database.game.slug) == nil)
        }
    }

    @Test("a wrong device, or an unknown one for a player that it must be, changes and makes nothing")
    func wrongDevice() async throws {
        try await withTestDatabase { database in
            let (ada, bob) = (try await database.addPlayer("Ada"), try await database.addPlayer("Bob"))
            for (device, expected) in [
                ("Bob", ada), ("nobody", ada), ("Ada", bob), ("nobody", Player.ID(rawValue: 4711)),
            ] {
                let outcome = try await database.store.register(
                    registration("Mallory"), device: database.device(of: device), in: database.game.slug, as: expected,
                    now: .noon)
                guard case .wrongDevice = outcome else {
                    Issue.record("\(device) for \(expected): \(outcome)")
                    continue
                }
            }
            #expect(try await database.owner.ask("select name from player order by name") == ["Ada", "Bob"])
            #expect(try await database.owner.ask("select count(*) from device") == ["2"])
            let outcome = try await database.store.register(
                registration("Ada L."), device: database.device(of: "Ada"), in: database.game.slug, as: ada, now: .noon)
            #expect(Self.player(outcome)?.player.name == "Ada L.")
        }
    }

    @Test("a name that looks like a charity's is refused, and the device is free to come again with another")
    func refusedName() async throws {
        try await withTestDatabase { database in
            try await database.addCharity("trees") { $0.name = .of("Trees for All") }
            let device = try database.device(of: "Ada")
            func register(_ name: String?) async throws -> RegistrationOutcome {
                try await database.store.register(
                    registration(name), device: device, in: database.game.slug, now: .noon)
            }
            guard case .nameRefused = try await register("TREES-for-аll") else {
                Issue.record("the name was taken")
                return
            }
            #expect(try await database.owner.ask("select count(*) from device") == ["0"], "the claim was taken back")
            guard case .nameMissing = try await register(nil) else {
                Issue.record("no name was needed")
                return
            }
            #expect(try await database.owner.ask("select count(*) from device") == ["0"])
            let ada = try #require(Self.player(try await register("Ada")))
            #expect(ada.isNew)
            guard case .nameRefused = try await register("Trees for All") else {
                Issue.record("the name was taken by an update")
                return
            }
            #expect(Self.player(try await register(nil))?.player == ada.player)
        }
    }

    @Test("what is absent keeps what is known, what is empty clears it, and consent keeps its first date and place")
    func keepsAndClears() async throws {
        try await withTestDatabase { database in
            let device = try database.device(of: "Ada")
            let hash = try #require(AvatarHash(bytes: Array(repeating: 7, count: 32)))
            func register(seconds: Int64, _ change: (inout Registration) throws -> Void) async throws -> [String] {
                var asked = Registration(source: "source \(seconds)")
                try change(&asked)
                let outcome = try await database.store.register(
                    asked, device: device, in: database.game.slug, now: Instant.noon.advanced(bySeconds: seconds))
                #expect(Self.player(outcome) != nil)
                return try await database.owner.ask(
                    """
                    select concat_ws(' ', name, coalesce(email, '-'), coalesce(fb_uid, '-'),
                                     coalesce(encode(avatar, 'hex'), '-') = repeat('07', 32), wants_updates,
                                     coalesce(extract(epoch from updates_since - '2026-11-20T12:00:00Z')::int::text,
                                              '-'),
                                     coalesce(updates_source, '-')) from player
                    """)
            }
            #expect(
                try await register(seconds: 0) {
                    $0.name = try PlayerName("Ada", field: "name")
                    $0.email = .set(try EmailAddress("a@b.example", field: "email"))
                    $0.facebookID = try FacebookID("77", field: "fb_uid")
                    $0.wantsUpdates = true
                    $0.avatar = .set(Avatar(hash: hash, png: [1]))
                } == ["Ada a@b.example 77 t t 0 source 0"])
            #expect(try await register(seconds: 1) { _ in } == ["Ada a@b.example 77 t t 0 source 0"])
            #expect(try await register(seconds: 2) { $0.wantsUpdates = true } == ["Ada a@b.example 77 t t 0 source 0"])
            #expect(
                try await register(seconds: 4) {
                    $0.name = try PlayerName("Ada L.", field: "name")
                    $0.wantsUpdates = false
                } == ["Ada L. a@b.example 77 t f - -"])
            #expect(
                try await register(seconds: 5) {
                    $0.email = .clear
                    $0.facebookID = try FacebookID("", field: "fb_uid")
                    $0.avatar = .clear
                    $0.wantsUpdates = true
                } == ["Ada L. - - f t 5 source 5"])
            #expect(try await database.store.findAvatar(hash)?.isUsed == false)
        }
    }

    @Test("a token of an erased player registers nobody, under any label, until 30 days later") func erased()
        async throws
    {
        try await withTestDatabase { database in
            let token = Token.generated(.device).hash
            let ada = try await database.owner("Ada", token)
            try await database.moderate(.erase(ada, confirming: "Ada"))
            func register(_ label: String, at now: Instant) async throws -> RegistrationOutcome {
                try await database.store.register(
                    .named(label), device: database.hash(label, as: .token(token)), in: .defaultGame,
                    access: .token(token), now: now)
            }
            for label in ["Ada", "Other"] {
                guard case .unauthorized = try await register(label, at: .noon) else {
                    Issue.record("\(label) is registered")
                    continue
                }
            }
            let later = Instant.noon.advanced(bySeconds: Limits.erasedTokenDays * 86_400)
            guard case .registered = try await register("Ada", at: later) else {
                Issue.record("the token is refused for longer than it is kept")
                return
            }
        }
    }
}
