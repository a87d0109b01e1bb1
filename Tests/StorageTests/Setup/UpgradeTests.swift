import Domain
import Foundation
import Logging
import Postgres
import Synchronization
import TestDatabases
import Testing

@testable import Storage

/// A release with two made-up migrations: the first one expands the schema, and the second one takes away what only
/// servers of the previous release need.
@Suite struct UpgradeTests {
    private static let known = Migration.known
    private static let release = Migration.all.followed(
        by: """
            -- made_up_1: each score may have a mood, out of a list.
            -- compatible since: \(known)
            alter table score add column mood text;
            create table mood (name text not null, constraint mood_pkey primary key (name));
            insert into mood (name) values ('glad');
            """,
        """
        -- made_up_2: takes away what servers of the previous release need to merge players.
        -- compatible since: \(known + 1)
        alter table save drop column merged_from;
        alter table score add constraint score_mood_check check (mood <> '') not valid;
        """)

    @Test(
        """
        servers of two releases post while both migrations are applied; the older ones go on after the first and are \
        told to stop after the second, and nothing acknowledged is lost or there twice
        """, .timeLimit(.minutes(3))) func meanwhile() async throws
    {
        try await withTestDatabase { database in
            try await withTestDatabase(owner: database.owner, server: database.server) { other in
                try await database.addBoard("sum") { ($0.policy, $0.earning) = (.sum, .points) }
                try await database.addCharity("trees")
                let (older, newer) = (Posting(database), Posting(other))
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for number in 0..<6 {
                        let player = try await database.addPlayer("player \(number)")
                        let side = number.isMultiple(of: 2) ? older : newer
                        tasks.addTask { try await side.run(player) }
                    }
                    try await Self.flows(older, newer)
                    try await upgrade(database, older, newer)
                    newer.stop()
                    older.stop()
                    try await tasks.waitForAll()
                }
                try await check(database, older.scores + newer.scores, donations: older.donations + newer.donations)
            }
        }
    }

    private func upgrade(_ database: TestDatabase, _ older: Posting, _ newer: Posting) async throws {
        let (known, store) = (Self.known, database.store)
        let expanding = Migrator(database.owner, migrations: Array(Self.release.dropLast()), logger: .none)
        #expect(try await expanding.migrate(now: .noon) == 1)
        try await Self.flows(older, newer)
        for release in [known, known + 1] { #expect(try await store.schemaTrouble(knowing: release) == nil) }
        // The previous release starts again, and leaves rights and publication to the newer one.
        let previous = Migrator(database.owner, logger: .none)
        #expect(try await previous.pending() == [])
        #expect(try await previous.migrate(now: .noon) == 0)

        let watch = Task { try await store.watchSchema(every: .milliseconds(1), knowing: known) }
        let contracting = Migrator(database.owner, migrations: Self.release, logger: .none)
        #expect(try await contracting.migrate(now: .noon) == 1)
        let refusal = Migrator.Failure.databaseIsNewer(number: known + 2, compatibleSince: known + 1, known: known)
        await #expect(throws: refusal) { try await watch.value }
        await #expect(throws: refusal) { _ = try await previous.pending() }
        older.stop()
        try await Self.flows(newer)
        for release in [known + 1, known + 2] { #expect(try await store.schemaTrouble(knowing: release) == nil) }
        // Going back by one is no more than starting the previous program.
        #expect(try await expanding.migrate(now: .noon) == 0)
    }

    /// Everything acknowledged is there once, and the books balance.
    private func check(_ database: TestDatabase, _ scores: [UUID], donations: [UUID]) async throws {
        for (table, ids) in [("score", scores), ("donation", donations)] {
            let list = ids.map { "'\($0)'" }.joined(separator: ",")
            let counts = "select count(*) filter (where id in (\(list))) || ' ' || count(*) from \(table)"
            #expect(try await database.owner.ask(counts) == ["\(ids.count) \(ids.count)"])
        }
        #expect(try await database.auditComplaints() == [])
        #expect(try await database.owner.ask("select name from mood") == ["glad"])
        #expect(try await database.owner.ask("select max(compatible_since) from migration") == ["\(Self.known + 1)"])
    }

    /// Waits until each side has had some more posts acknowledged.
    private static func flows(_ sides: Posting...) async throws {
        for side in sides {
            let enough = side.scores.count + 10
            while side.scores.count < enough { try await Task.sleep(for: .milliseconds(1)) }
        }
    }
}

/// The players of one release's servers, who post and donate until they are stopped.
private final class Posting: Sendable {
    private struct State {
        var isStopped = false
        var scores: [UUID] = []
        var donations: [UUID] = []
    }

    private let database: TestDatabase
    private let state = Mutex(State())

    init(_ database: TestDatabase) { self.database = database }

    /// Those that were acknowledged.
    var scores: [UUID] { state.withLock { $0.scores } }
    var donations: [UUID] { state.withLock { $0.donations } }

    func stop() { state.withLock { $0.isStopped = true } }

    func run(_ player: Player.ID) async throws {
        while !state.withLock({ $0.isStopped }) {
            let (score, donation) = (UUID(), UUID())
            try await acknowledged { [database] in
                let outcome = try await database.post(5, by: player, on: "sum", id: score).outcome
                #expect([.recorded, .retry].contains(outcome))
            }
            state.withLock { $0.scores.append(score) }
            try await acknowledged { [database] in
                let outcome = try await database.donate(1, by: player, to: "trees", id: donation).outcome
                #expect([.recorded, .retry].contains(outcome))
            }
            state.withLock { $0.donations.append(donation) }
        }
    }

    /// Tries again under the same id while the database is busy, as a client does.
    private func acknowledged(_ post: () async throws -> Void) async throws {
        while true {
            do { return try await post() } catch let failure as CommitFailure {
                guard failure.error == .overloaded || failure.error == .unavailable else { throw failure }
            }
        }
    }
}
