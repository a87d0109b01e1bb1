import Domain
import Foundation
import Storage
import Synchronization
import TestDatabases
import TestDice
import Testing

@testable import Leaderboard

/// Plans that are due, from the closed books to the donations in the ledger.
@Suite struct PlanRunnerTests {
    /// A server with the clock of a test.
    private final class Server: Sendable {
        let database: TestDatabase
        let runner: PlanRunner
        private let time: Time

        private final class Time: Sendable { let now = Mutex(Instant.noon) }

        init(_ database: TestDatabase, _ batcher: (ServerClock) -> WriteBatcher) {
            let time = Time()
            let clock = ServerClock { time.now.withLock { $0 } }
            (self.database, self.time) = (database, time)
            runner = PlanRunner(store: database.store, writeBatcher: batcher(clock), clock: clock, logger: .none)
        }

        /// Goes to noon of a day, with the books of the days before closed, and runs what is due.
        func runs(after days: Int64) async throws {
            let now = Instant.noon(after: days)
            time.now.withLock { $0 = now }
            try await database.closeBooks(before: now)
            await runner.pass()
        }

        /// What was donated, by charity, in the order of time.
        func donated(by player: Player.ID) async throws -> [String] {
            try await database.owner.ask(
                """
                select c.slug || ' ' || d.points from donation d join charity c on c.id = d.charity_id
                 where d.player_id = \(player.rawValue) order by d.reached_at
                """)
        }
    }

    private func withServer(_ body: @Sendable (Server, TestDatabase) async throws -> Void) async throws {
        try await withTestDatabase { database in
            let memory = LeaderboardMemory(store: database.store)
            let batcher = Mutex<WriteBatcher?>(nil)
            let server = Server(database) { clock in
                let made = WriteBatcher(store: database.store, clock: clock, memory: memory, workersCount: 2)
                batcher.withLock { $0 = made }
                return made
            }
            try await database.setPlans()
            for charity in ["books", "water"] { try await database.addCharity(charity) }
            try await database.addBoard("run") { $0.policy = .sum }
            try await withThrowingTaskGroup { group in
                if let batcher = batcher.withLock({ $0 }) { group.addTask { await batcher.run() } }
                try await body(server, database)
                group.cancelAll()
            }
            #expect(try await database.auditComplaints() == [])
        }
    }

    @Test("60 and 40 of one point a day give one point a day, to water, books, water, books, water") func turns()
        async throws
    {
        try await withServer { server, database in
            let ada = try await database.teamPlayer("Ada")
            try await database.plan(["water": 60, "books": 40], of: ada)
            for day in 0..<5 {
                try await database.post(1, by: ada.id, on: "run", at: .noon(after: Int64(day)))
                try await server.runs(after: Int64(day + 1))
                // Nothing is due twice.
                await server.runner.pass()
            }
            let given = try await server.donated(by: ada.id)
            #expect(given == ["water 1", "books 1", "water 1", "books 1", "water 1"])
            let found = try #require(try await database.store.findPlan(of: ada.id))
            #expect(found.plan.nextOn == Instant.noon(after: 5).dayInUTC)
            let last = try #require(found.last)
            #expect(last.day == Instant.noon(after: 4).dayInUTC)
            #expect(last.lines.map(\.points) == [0, 1] && last.lines.map(\.skip) == [nil, nil])
        }
    }

    @Test("a plan keeps what its player wants, waits for Sundays and ends of months, and makes up for a lost time once")
    func intervals() async throws {
        try await withServer { server, database in
            // The first day is Friday, 20 November 2026.
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            try await database.plan(["water": 1], every: .week, keep: 10, of: ada)
            try await database.plan(["water": 1], every: .month, isAnonymous: true, of: bob)
            for player in [ada, bob] { try await database.post(100, by: player.id, on: "run") }
            try await server.runs(after: 1)
            try await server.runs(after: 2)
            #expect(try await server.donated(by: ada.id) == [])
            try await server.runs(after: 3)
            #expect(try await server.donated(by: ada.id) == ["water 90"])
            #expect(try await server.donated(by: bob.id) == [])
            // Nobody ran plans for six weeks.
            try await database.post(7, by: ada.id, on: "run", at: .noon(after: 4))
            try await server.runs(after: 45)
            #expect(try await server.donated(by: ada.id) == ["water 90", "water 7"])
            #expect(try await server.donated(by: bob.id) == ["water 100"])
            let anonymous = "select anonymous from donation where player_id = \(bob.id.rawValue)"
            #expect(try await database.owner.ask(anonymous) == ["true"])
            let runs = try await database.owner.ask("select day from plan_run order by day, player_id")
            #expect(runs == ["2026-11-22", "2026-12-31", "2027-01-03"])
        }
    }

    @Test("the ids of a plan's donations follow from its player, version, day and charity") func ids() async throws {
        try await withServer { server, database in
            let ada = try await database.teamPlayer("Ada")
            try await database.post(5, by: ada.id, on: "run")
            try await database.plan(["water": 1], of: ada)
            try await server.runs(after: 1)
            let id = try await database.owner.ask("select id from donation")
            let run = try await database.store.findPlan(of: ada.id)?.last
            #expect(id == [run?.lines.first?.id.uuidString.lowercased()])
        }
    }

    @Test("what a charity does not take stays with the player, and the plan says why") func skipped() async throws {
        try await withServer { server, database in
            try await database.addCharity("closed") { $0.closesAt = .set(.noon(after: 1)) }
            try await database.addCharity("full") { $0.capInAll = .set(3) }
            let ada = try await database.teamPlayer("Ada")
            try await database.post(100, by: ada.id, on: "run")
            try await database.plan(["water": 1, "closed": 1, "full": 1, "books": 1], of: ada)
            try await server.runs(after: 1)
            #expect(try await server.donated(by: ada.id).sorted() == ["books 25", "water 25"])
            let last = try #require(try await database.store.findPlan(of: ada.id)?.last)
            #expect(last.lines.map(\.charity.description) == ["books", "closed", "full", "water"])
            #expect(last.lines.map(\.skip) == [nil, .charityClosed, .capReached, nil])
        }
    }

    @Test("nothing is donated for who is banned, in a game without plans, or has nothing left; and later it is")
    func held() async throws {
        try await withServer { server, database in
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            try await database.plan(["water": 1], of: ada)
            // The books begin with a row.
            try await database.post(1, by: bob.id, on: "run")
            func why() async throws -> PlanSkip? {
                try await database.store.findPlan(of: ada.id)?.last?.lines.first?.skip
            }
            try await server.runs(after: 1)
            #expect(try await why() == .nothingLeft)
            try await database.post(9, by: ada.id, on: "run", at: .noon(after: 1))
            let ban = try await database.moderate(.ban(ada.id, until: nil), at: .noon(after: 1))
            try await server.runs(after: 2)
            #expect(try await why() == .banned)
            try await database.moderate(.undo(ban), at: .noon(after: 2))
            try await database.setPlans(false, now: .noon(after: 2))
            try await server.runs(after: 3)
            #expect(try await why() == .off)
            // A run that gave nothing is forgotten with the next one.
            #expect(try await database.owner.ask("select count(*) from plan_run") == ["1"])
            try await database.setPlans(now: .noon(after: 3))
            try await server.runs(after: 4)
            #expect(try await server.donated(by: ada.id) == ["water 9"])
        }
    }

    @Test("a plan of a player who was merged into another rests until they are parted") func merged() async throws {
        try await withServer { server, database in
            let (ada, bob) = (try await database.teamPlayer("Ada"), try await database.teamPlayer("Bob"))
            for player in [ada, bob] { try await database.post(10, by: player.id, on: "run") }
            try await database.plan(["water": 1], of: ada)
            try await database.plan(["books": 1], keep: 5, of: bob)
            let merge = try await database.moderate(.merge(ada.id, into: bob.id))
            try await server.runs(after: 1)
            #expect(try await server.donated(by: bob.id) == ["books 15"])
            #expect(try await server.donated(by: ada.id) == [])
            try await database.moderate(.undo(merge), at: .noon(after: 1))
            try await database.post(3, by: ada.id, on: "run", at: .noon(after: 1))
            try await server.runs(after: 2)
            #expect(try await server.donated(by: ada.id) == ["water 13"])
        }
    }

    @Test("a process that ended between any two steps is followed by another one, which gives the rest once")
    func continued() async throws {
        try await withServer { server, database in
            let ada = try await database.teamPlayer("Ada")
            try await database.post(10, by: ada.id, on: "run")
            try await database.plan(["water": 1, "books": 1], of: ada)
            let now = Instant.noon(after: 1)
            try await database.closeBooks(before: now)
            var cursor: PlanCursor?
            let decided = try await database.store.decidePlans(after: &cursor, now: now)
            #expect(decided.giving == 1 && decided.skipped == 0 && cursor == nil)
            // Decided, nothing donated. Then the plan is changed and ended, and the points are spent in part.
            #expect(try await database.store.decidePlans(after: &cursor, now: now).giving == 0)
            try await database.plan(["books": 1], of: ada, now: now)
            let run = try #require(try await database.store.openPlanRuns().first)
            #expect(run.lines.map(\.points) == [5, 5] && run.lines.map(\.charity.description) == ["books", "water"])
            // One of the donations was made.
            try await database.donate(5, by: ada.id, to: "books", id: run.lines[0].id, at: now.advanced(bySeconds: 1))
            try await server.runs(after: 1)
            #expect(try await server.donated(by: ada.id).sorted() == ["books 5", "water 5"])
            await server.runner.pass()
            #expect(try await database.store.openPlanRuns().isEmpty)
            #expect(try await server.donated(by: ada.id).count == 2)
        }
    }

    @Test("many plans of many players run in a pass, each once, whoever else tries") func many() async throws {
        try await withServer { server, database in
            var players: [TeamPlayer] = []
            for number in 0..<230 {
                let player = try await database.teamPlayer("Player \(number)")
                try await database.plan(["water": 3, "books": 1], of: player)
                players.append(player)
            }
            for player in players { try await database.post(4, by: player.id, on: "run") }
            let now = Instant.noon(after: 1)
            try await database.closeBooks(before: now)
            await withTaskGroup { group in for _ in 0..<3 { group.addTask { try? await server.runs(after: 1) } } }
            try await server.runs(after: 1)
            let sums = try await database.owner.ask(
                "select count(*) || ' ' || count(distinct player_id) || ' ' || sum(points) from donation")
            #expect(sums == ["460 230 920"])
            #expect(try await database.owner.ask("select count(*) from plan_run where done_at is null") == ["0"])
        }
    }
}
