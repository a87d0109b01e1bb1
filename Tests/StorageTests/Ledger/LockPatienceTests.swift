import Concurrency
import Credentials
import Domain
import Foundation
import Postgres
import TestDatabases
import Testing

@testable import Storage

/// Somebody holds a player's lock, and no statement of the sessions is bounded in time.
@Suite struct LockPatienceTests {
    @Test("a change of a donation gives up a lock that it does not get", .timeLimit(.minutes(5))) func change()
        async throws
    {
        try await withTestDatabase { database in
            try await database.addCharity("trees")
            let ada = try await database.addPlayer("Ada", points: 10)
            let donation = try await database.donate(1, by: ada, to: "trees").id
            try await Self.whileLocked(ada, database) { store in
                await #expect(throws: StoreError.overloaded) {
                    try await store.change(donation, to: .of("trees"), of: ada, .anonymise, marker: nil, now: .noon)
                }
            }
        }
    }

    @Test("so do saves, of which one of a player waits on a connection", .timeLimit(.minutes(5))) func saves()
        async throws
    {
        try await withTestDatabase { database in
            let token = Token.generated(.device).hash
            let ada = try await database.owner("Ada", token)
            try await Self.whileLocked(ada, database) { store in
                let saves = ["one", "two", "three"].map { text in
                    Task { () async throws -> SaveOutcome? in
                        let save = TestSave(text)
                        return try await store.save(
                            save.body, save.etag, in: .of("a"), of: token, expected: .nothing, now: .noon)
                    }
                }
                while store.saving.counts != (1, 2) { await Task.yield() }
                #expect(store.generalPool.use.lent <= 1)
                for save in saves { await #expect(throws: StoreError.overloaded) { try await save.value } }
            }
        }
    }

    @Test("so do registrations, classic first posts and devices that come with a code", .timeLimit(.minutes(5)))
    func registrations() async throws {
        try await withTestDatabase { database in
            let (token, other) = (Token.generated(.device).hash, Token.generated(.device).hash)
            let ada = try await database.owner("Ada", token)
            let bob = try await database.owner("Bob", other)
            try await database.post(5, by: bob, on: "high-scores")
            let code = try await database.joinCode(of: token)
            let (phone, pad) = (
                try database.hash("Ada", as: .token(token)), try database.hash("Bob", as: .token(other))
            )
            let joining = Joining(
                pad, in: .defaultGame, access: .token(other), by: .code(code), number: "pad", name: nil, now: .noon)
            let new = Joining(
                try database.hash("new", as: .classic), in: .defaultGame, access: .token(Token.generated(.device).hash),
                by: .code(code), number: "new", name: nil, now: .noon)
            try await Self.whileLocked(ada, database) { store in
                await #expect(throws: StoreError.overloaded) {
                    _ = try await store.register(
                        .named("Eve"), device: phone, in: .defaultGame, access: .token(token), now: .noon)
                }
                await #expect(throws: StoreError.overloaded) { _ = try await store.join(new) }
                await #expect(throws: StoreError.overloaded) {
                    _ = try await store.joinMerging(joining, as: UUID(), marker: nil)
                }
            }
            let classic = try await database.addPlayer("Cid")
            let device = try database.device(of: "Cid")
            try await Self.whileLocked(classic, database) { store in
                await #expect(throws: StoreError.overloaded) {
                    _ = try await store.registerAndRecord(
                        .named("Cid"), device: device, in: database.game, marker: nil, now: .noon
                    ) { NewScore(7, by: .player($0), on: .highScores, in: .defaultGame, id: nil, reachedAt: .noon) }
                }
            }
        }
    }

    @Test(
        "so do changes of a board's rules while an action is under way, because posts wait behind them",
        .timeLimit(.minutes(5))) func rules() async throws
    {
        try await withTestDatabase { database in
            try await database.addBoard("race")
            try await Self.whileLocked(by: "lock table tally in row exclusive mode", database) { store in
                let action = ModerationAction(
                    .reset(game: .defaultGame, board: .of("race")), id: UUID(), reason: try ModerationReason("a test"))
                await #expect(throws: StoreError.overloaded) {
                    _ = try await store.admin.perform(action, by: "cli", now: .noon)
                }
            }
        }
    }

    /// The time limit is less than what a statement of an action may take, which would end the wait too.
    @Test("an action gives up a lock by a bound of its own", .timeLimit(.minutes(3))) func action() async throws {
        try await withTestDatabase { database in
            let ada = try await database.addPlayer("Ada", points: 10)
            let action = ModerationAction(
                .voidAll(ada, heldOnly: false), id: UUID(), reason: try ModerationReason("a test"))
            try await Self.whileLocked(ada, database) { store in
                await #expect(throws: StoreError.overloaded) {
                    _ = try await store.admin.perform(action, by: "cli", now: .noon)
                }
            }
        }
    }

    /// Runs `body` while another session holds the lock of a player.
    private static func whileLocked(_ player: Player.ID, _ database: TestDatabase, _ body: (Store) async throws -> Void)
        async throws
    {
        let lock = "select from wallet where player_id = \(player.rawValue) for update"
        try await whileLocked(by: lock, database, body)
    }

    private static func whileLocked(by lock: String, _ database: TestDatabase, _ body: (Store) async throws -> Void)
        async throws
    {
        func pool(_ session: [String: String]) -> Pool {
            var settings = database.server
            settings.session = session.merging(["statement_timeout": "0"]) { $1 }
            settings.silenceMax = nil
            return Pool(settings, limits: PoolLimits(connectionsMax: 4), logger: .none)
        }
        let (general, ledger) = (pool(SessionPresets.general), pool(SessionPresets.ledger))
        let holder = try await Connection.open(database.owner, logger: .none)
        defer { holder.close() }
        try await withThrowingTaskGroup { services in
            services.addTask { try await general.run() }
            services.addTask { try await ledger.run() }
            defer { services.cancelAll() }
            try await holder.script("begin; \(lock)")
            try await body(Store(general: general, ledger: ledger, logger: .none))
            try await holder.script("rollback")
        }
    }
}
