import Domain
import Foundation
import Logging
import Postgres
import TestDatabases
import Testing

@testable import Storage

@Suite struct MigrationTests {
    private let names = Migration.all.map(\.name)

    @Test("twenty migrators at once on an empty database apply each migration once") func twenty() async throws {
        try await withEmptyDatabase { owner, _ in
            let applied = try await withThrowingTaskGroup(of: Int.self) { migrators in
                for _ in 0..<20 { migrators.addTask { try await Migrator(owner, logger: .none).migrate(now: .noon) } }
                return try await migrators.reduce(0, +)
            }
            #expect(applied == names.count)
            #expect(try await owner.ask("select name from migration order by number") == names)
            #expect(
                try await owner.ask("select distinct applied_at = '2026-11-20T12:00:00Z' from migration") == ["true"])
        }
    }

    @Test(
        """
        all are pending on an empty database and none on a migrated one; \
        asking changes nothing, and the server may ask too
        """) func pending() async throws
    {
        try await withEmptyDatabase { owner, server async throws in
            for settings in [owner, server] { #expect(try await Migrator(settings, logger: .none).pending() == names) }
            #expect(
                try await owner.ask("select count(*) from pg_class where relnamespace = 'public'::regnamespace") == [
                    "0"
                ])
            #expect(try await Migrator(owner, logger: .none).migrate(now: .noon) == names.count)
            for settings in [owner, server] { #expect(try await Migrator(settings, logger: .none).pending() == []) }
            #expect(try await Migrator(owner, logger: .none).migrate(now: .noon) == 0)
        }
    }

    @Test("migrating goes on where a failed migration stopped, which changed nothing") func resumes() async throws {
        try await withTestDatabase { database in
            let owner = database.owner
            let migrations = Migration.all.followed(
                by: "create table first_one (id int)",
                "create table second_one (id int); create table last_one (id int)", "create table third_one (id int)")
            let migrator = Migrator(owner, migrations: migrations, logger: .none)
            // The second one fails because a table of it exists.
            try await owner.script("create table last_one (id int)")
            let state = await sqlState { _ = try await migrator.migrate(now: .noon) }
            #expect(state?.rawValue == "42P07")
            #expect(try await migrator.pending() == ["made_up_2", "made_up_3"])
            let made = "select to_regclass('first_one'), to_regclass('second_one')"
            #expect(try await owner.ask("select concat_ws(' ', f, s) from (\(made)) x(f, s)") == ["first_one"])
            try await owner.script("drop table last_one")
            #expect(try await migrator.migrate(now: .noon) == 2)
            #expect(try await migrator.pending() == [])
            let list = "select name from migration order by number"
            #expect(try await owner.ask(list) == names + ["made_up_1", "made_up_2", "made_up_3"])
        }
    }

    @Test("a migration that was applied in another form is refused by its name") func changed() async throws {
        try await withTestDatabase { database in
            try await database.owner.script(#"update migration set checksum = '\x00' where number = 1"#)
            let sentence = """
                Migration 1 (schema) was applied in another form than this server has. \
                Use the causeboard that applied it.
                """
            let migrator = Migrator(database.owner, logger: .none)
            for migrates in [false, true] {
                let failure = await #expect(throws: Migrator.Failure.self) {
                    if migrates { _ = try await migrator.migrate(now: .noon) } else { _ = try await migrator.pending() }
                }
                #expect(failure == .changed(number: 1, name: "schema"))
                #expect(failure?.description == sentence)
            }
        }
    }

    @Test("a database that a newer server migrated is refused, and a gap in the list too") func newer() async throws {
        try await withTestDatabase { database in
            let known = Int32(names.count)
            let number = known + 1
            try await database.owner.script(
                #"insert into migration values (\#(number), 'from_the_future', '\x00', now(), \#(number))"#)
            let migrator = Migrator(database.owner, logger: .none)
            let refusal = Migrator.Failure.databaseIsNewer(number: number, compatibleSince: number, known: known)
            let failure = await #expect(throws: Migrator.Failure.self) { _ = try await migrator.pending() }
            #expect(failure == refusal)
            #expect(
                failure?.description == """
                    The database has migration \(number), with which servers go on that know migration \(number); \
                    this one knows \(known). Use the newer causeboard that migrated it.
                    """)
            await #expect(throws: refusal) { _ = try await migrator.migrate(now: .noon) }

            // The newest one may be harmless while one before it is not.
            try await database.owner.script(
                #"insert into migration values (\#(number + 1), 'harmless', '\x00', now(), \#(known))"#)
            let newest = Migrator.Failure.databaseIsNewer(number: number + 1, compatibleSince: number, known: known)
            await #expect(throws: newest) { _ = try await migrator.pending() }

            try await database.owner.script("delete from migration where number <= \(known)")
            await #expect(throws: Migrator.Failure.changed(number: number, name: "from_the_future")) {
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
                """#)
            let migrator = Migrator(database.owner, logger: .none)
            #expect(try await migrator.pending() == [])
            #expect(try await migrator.migrate(now: .noon) == 0)
            #expect(try await database.store.schemaTrouble() == nil)
            #expect(
                try await database.owner.ask("select tablename from pg_publication_tables order by 1") == [
                    "board", "standing", "tally",
                ])
        }
    }

    @Test("a server that runs notices when its database is migrated to what it cannot work with") func watched()
        async throws
    {
        try await withTestDatabase { database in
            let known = Int32(names.count)
            let watch = Task { try await database.store.watchSchema(every: .milliseconds(1)) }
            try await database.owner.script(
                #"insert into migration values (\#(known + 1), 'b', '\x00', now(), \#(known + 1))"#)
            let failure = Migrator.Failure.databaseIsNewer(number: known + 1, compatibleSince: known + 1, known: known)
            await #expect(throws: failure) { try await watch.value }
        }
    }

    @Test("each migration after the first says since which one servers are compatible") func saysSince() {
        for migration in Migration.all.dropFirst() {
            let line = "-- compatible since: \(migration.compatibleSince)"
            #expect((1...migration.number).contains(migration.compatibleSince), "\(migration.name)")
            #expect(migration.text.split(separator: "\n").contains { $0 == line }, "\(migration.name)")
        }
        func since(_ text: String) -> Int32 { Migration(number: 20, name: "a", text: text).compatibleSince }
        #expect(since("-- a: b\n-- compatible since: 18\nselect 1") == 18)
        #expect(since("-- a: b\nselect 1\n-- compatible since: 18") == 20)
        #expect(since("-- a: b\n-- compatible since: soon") == 20)
    }

    @Test("the first migration is the schema, all files of it in order; its checksum is the digest of its text")
    func first() throws {
        let folder = #filePath.components(separatedBy: "/Tests/")[0] + "/SQL/schema"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files.count > 5)
        let texts = try files.map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        let schema = try #require(Migration.all.first)
        // A string literal of several lines has no line break at its end.
        #expect(schema.name == "schema" && schema.text + "\n" == texts.joined(separator: "\n"))
        // The digest of "abc" is in FIPS 180-4.
        let abc = Migration(number: 1, name: "a", text: "abc").checksum
        #expect(Hex.text(abc).hasPrefix("ba7816bf8f01cfea414140de5dae2223"))
    }

    @Test("a migration gives way to those who hold its locks, names them, and is applied once they have ended")
    func locked() async throws {
        try await withTestDatabase { database in
            var holder = database.owner
            holder.session["application_name"] = "nightly report"
            let report = try await Connection.open(holder, logger: .none)
            defer { report.close() }
            try await report.script("begin; lock table donation in row exclusive mode")
            var patience = Migrator.Patience()
            (patience.lockMilliseconds, patience.triesMax, patience.pause) = (20, 2, .zero)
            let migrator = Migrator(
                database.owner, migrations: Migration.all.followed(by: "alter table donation add column note text"),
                patience: patience, logger: .none)
            let failure = await #expect(throws: Migrator.Failure.self) { _ = try await migrator.migrate(now: .noon) }
            guard case .locked(Int32(names.count + 1), "made_up_1", let holders) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(holders.map(\.application) == ["nightly report"])
            #expect(failure?.description.contains("(nightly report, role causeboard_owner, for ") == true)
            #expect(try await migrator.pending() == ["made_up_1"])
            try await report.script("commit")
            #expect(try await migrator.migrate(now: .noon) == 1)
        }
    }
}

extension [Migration] {
    /// These and made-up ones after them, `made_up_1` and so on.
    func followed(by texts: String...) -> [Migration] {
        self
            + texts.enumerated().map { index, text in
                Migration(number: Int32(count + index + 1), name: "made_up_\(index + 1)", text: text)
            }
    }
}
