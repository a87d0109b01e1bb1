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
            #expect(failure == .databaseIsNewer(number: number, compatibleSince: number))
            #expect(
                failure?.description
                    == """
                    The database has migration \(number), with which servers go on that know migration \(number); \
                    this one knows \(number - 1). Use the newer causeboard that migrated it.
                    """
            )
            await #expect(throws: Migrator.Failure.databaseIsNewer(number: number, compatibleSince: number)) {
                _ = try await migrator.migrate(now: .noon)
            }

            // The newest one may be harmless while one before it is not.
            try await database.owner.script(
                #"insert into migration values (\#(number + 1), 'harmless', '\x00', now(), \#(number - 1))"#
            )
            await #expect(throws: Migrator.Failure.databaseIsNewer(number: number + 1, compatibleSince: number)) {
                _ = try await migrator.pending()
            }

            try await database.owner.script("delete from migration where number > \(number)")
            try await database.owner.script("delete from migration where number in (2, \(number))")
            await #expect(throws: Migrator.Failure.changed(number: 3, name: "player_tables")) {
                _ = try await migrator.pending()
            }
        }
    }

    @Test("a server goes on with a newer database that says so, and leaves rights and publication to the newer server")
    func compatible() async throws {
        try await withTestDatabase { database in
            let known = Int32(names.count)
            #expect(try await database.store.schemaTrouble() == nil)
            try await database.owner.script(
                #"""
                insert into migration values (\#(known + 1), 'from_the_future', '\x00', now(), \#(known));
                alter publication causeboard set table standing, tally, board;
                """#
            )
            let migrator = Migrator(database.owner, logger: .none)
            #expect(try await migrator.pending() == [])
            #expect(try await migrator.migrate(now: .noon) == 0)
            #expect(try await database.store.schemaTrouble() == nil)
            #expect(
                try await database.owner.ask("select tablename from pg_publication_tables order by 1") == [
                    "board", "standing", "tally",
                ]
            )
        }
    }

    @Test("a server that runs notices when its database is migrated to what it cannot work with")
    func watched() async throws {
        try await withTestDatabase { database in
            let next = Int32(names.count + 1)
            let watch = Task { try await database.store.watchSchema(every: .milliseconds(1)) }
            try await database.owner.script(#"insert into migration values (\#(next), 'b', '\x00', now(), \#(next))"#)
            let failure = Migrator.Failure.databaseIsNewer(number: next, compatibleSince: next)
            await #expect(throws: failure) { try await watch.value }
        }
    }

    @Test("each migration says since which one servers are compatible, from the thirteenth on") func saysSince() {
        for migration in Migrations.all {
            let since = SchemaVersion.compatibleSince(migration.number, header: migration.text)
            #expect((1...migration.number).contains(since), "\(migration.name)")
            let says = migration.text.split(separator: "\n").contains { $0 == "-- compatible since: \(since)" }
            #expect(says == (migration.number >= 13), "\(migration.name)")
        }
        #expect(SchemaVersion.compatibleSince(20, header: "-- a: b\n-- compatible since: 18\nselect 1") == 18)
        #expect(SchemaVersion.compatibleSince(20, header: "-- a: b\nselect 1\n-- compatible since: 18") == 20)
        #expect(SchemaVersion.compatibleSince(20, header: "-- a: b\n-- compatible since: soon") == 20)
    }

    @Test("a migration whose text was changed is known by its first text") func firstTexts() {
        let known = Migrations.all.filter { $0.text.contains("-- known as: ") }.map {
            ($0.number, Hex.text(Migrator.checksum($0.text)))
        }
        #expect(
            Dictionary(uniqueKeysWithValues: known) == [
                21: "6793cf08ef6162394ddfc9ab9ca7ec8562a10781920feedf0155830e0effeae2",
                26: "472e91220151af7b48f3df1b52d305c9271ff4d5f8bf004cc4e1848af5e56990",
                29: "64a48fcaa4bb6882b7722e009597daa65e0f768879f116fd2b1fb551cc6cfb2a",
            ]
        )
        // The digest of "abc" is in FIPS 180-4.
        #expect(Hex.text(Migrator.checksum("abc")).hasPrefix("ba7816bf8f01cfea414140de5dae2223"))
    }

    @Test("a list of migrations that an older server keeps gets its new column, and is read before that")
    func olderList() async throws {
        try await withTestDatabase { database in
            try await database.owner.script("alter table migration drop column compatible_since")
            #expect(try await Migrator(database.server, logger: .none).pending() == [])
            #expect(try await Migrator(database.owner, logger: .none).migrate(now: .noon) == 0)
            #expect(
                try await database.owner.ask("select count(*) from migration where compatible_since is null") == [
                    "\(names.count)"
                ]
            )
        }
    }

    @Test("a migration gives way to those who hold its locks, names them, and is applied once they have ended")
    func locked() async throws {
        try await withEmptyDatabase { owner, _ in
            try await owner.script("create table charity_total (id int)")
            let state = await sqlState { _ = try await Migrator(owner, logger: .none).migrate(now: .noon) }
            #expect(state?.rawValue == "42P07")
            try await owner.script("drop table charity_total")

            var holder = owner
            holder.session["application_name"] = "nightly report"
            let report = try await Connection.open(holder, logger: .none)
            defer { report.close() }
            try await report.script("begin; lock table donation in row exclusive mode")
            var patience = Migrator.Patience()
            (patience.lockMilliseconds, patience.triesMax, patience.pause) = (20, 2, .zero)
            let migrator = Migrator(owner, patience: patience, logger: .none)
            let failure = await #expect(throws: Migrator.Failure.self) { _ = try await migrator.migrate(now: .noon) }
            guard case .locked(14, "charity_totals", let holders) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(holders.map(\.application) == ["nightly report"])
            #expect(failure?.description.contains("(nightly report, role causeboard_owner, for ") == true)
            #expect(try await migrator.pending().first == "charity_totals")
            try await report.script("commit")
            #expect(try await migrator.migrate(now: .noon) == names.count - 13)
        }
    }
}
