import Domain
import Logging
import Postgres
import Statements
import TestDatabases
import Testing

@testable import Storage

@Suite struct MigrationTests {
    private let names = Migrations.all.map(\.name)

    @Test("twenty migrators at once on an empty database apply each migration once") func twenty() async throws {
        try await withEmptyDatabase { owner, _ in
            let applied = try await withThrowingTaskGroup(of: Int.self) { migrators in
                for _ in 0..<20 { migrators.addTask { try await Migrator(owner, logger: .none).migrate(now: .noon) } }
                return try await migrators.reduce(0, +)
            }
            #expect(applied == names.count)
            #expect(try await owner.ask("select name from migration order by number") == names)
            #expect(
                try await owner.ask("select distinct applied_at = '2026-11-20T12:00:00Z' from migration") == ["true"]
            )
        }
    }

    @Test(
        """
        all are pending on an empty database and none on a migrated one; \
        asking changes nothing, and the server may ask too
        """
    )
    func pending() async throws {
        try await withEmptyDatabase { owner, server async throws in
            for settings in [owner, server] { #expect(try await Migrator(settings, logger: .none).pending() == names) }
            #expect(
                try await owner.ask("select count(*) from pg_class where relnamespace = 'public'::regnamespace") == [
                    "0"
                ]
            )
            #expect(try await Migrator(owner, logger: .none).migrate(now: .noon) == names.count)
            for settings in [owner, server] { #expect(try await Migrator(settings, logger: .none).pending() == []) }
            #expect(try await Migrator(owner, logger: .none).migrate(now: .noon) == 0)
        }
    }

    @Test("what an older server left is brought up to date from there") func resumes() async throws {
        try await withEmptyDatabase { owner, _ in
            // A failing migration leaves those before it applied. This one fails because its table exists.
            try await owner.script("create table standing (id int)")
            let state = await sqlState { _ = try await Migrator(owner, logger: .none).migrate(now: .noon) }
            #expect(state?.rawValue == "42P07")
            #expect(try await Migrator(owner, logger: .none).pending().first == "rollups")
            #expect(try await owner.ask("select to_regclass('wallet') is null") == ["true"])
            try await owner.script("drop table standing")
            #expect(try await Migrator(owner, logger: .none).migrate(now: .noon) == names.count - 4)
        }
    }

    @Test("a migration that was applied in another form is refused by its name") func changed() async throws {
        try await withTestDatabase { database in
            try await database.owner.script(#"update migration set checksum = '\x00' where number = 3"#)
            let sentence = """
                Migration 3 (player_tables) was applied in another form than this server has. \
                Use the causeboard that applied it.
                """
            let migrator = Migrator(database.owner, logger: .none)
            for migrates in [false, true] {
                let failure = await #expect(throws: Migrator.Failure.self) {
                    if migrates { _ = try await migrator.migrate(now: .noon) } else { _ = try await migrator.pending() }
                }
                #expect(failure == .changed(number: 3, name: "player_tables"))
                #expect(failure?.description == sentence)
            }
        }
    }

    @Test("a database that a newer server migrated is refused, and a gap in the list too") func newer() async throws {
        try await withTestDatabase { database in
            let number = Int32(names.count + 1)
            try await database.owner.script(
                #"insert into migration values (\#(number), 'from_the_future', '\x00', now())"#
            )
            let migrator = Migrator(database.owner, logger: .none)
            let failure = await #expect(throws: Migrator.Failure.self) { _ = try await migrator.pending() }
            #expect(failure == .databaseIsNewer(number: number))
            #expect(
                failure?.description
                    == """
                    The database has migration \(number), which this server does not know. \
                    Use the newer causeboard that made it.
                    """
            )
            await #expect(throws: Migrator.Failure.databaseIsNewer(number: number)) {
                _ = try await migrator.migrate(now: .noon)
            }

            try await database.owner.script("delete from migration where number in (2, \(number))")
            await #expect(throws: Migrator.Failure.changed(number: 3, name: "player_tables")) {
                _ = try await migrator.pending()
            }
        }
    }
}
