import Domain
import Logging
import Postgres
import Synchronization
import TestDatabases
import Testing

@testable import Storage

/// Roles, rights and the publication are made, or made good, by every `migrate`.
@Suite struct RightsTests {
    @Test("what is missing is made, also when no migration is pending, and a second time nothing changes")
    func madeGood() async throws {
        try await withTestDatabase { database in
            try await database.owner.script(
                """
                revoke insert on score, donation from causeboard_server;
                revoke select on charity_total, ledger_tally from causeboard_server;
                alter publication causeboard set table standing, player (id, name);
                """)
            let log = CapturedLog(level: .warning)
            #expect(try await Migrator(database.owner, logger: log.logger).migrate(now: .noon) == 0)
            #expect(try await database.owner.ask(Self.rights) == ["true"])
            #expect(
                try await database.owner.ask(
                    """
                    select tablename || attnames::text from pg_publication_tables
                     where tablename in ('player', 'tally')
                    """
                ).sorted() == ["player{id,name,avatar,hidden,flag}", "tally{board_id,day,player_id,points,reached_at}"])
            let rows = "select sum(xmin::text::bigint) from pg_class where relnamespace = 'public'::regnamespace"
            let before = try await database.owner.ask(rows)
            try await database.owner.script("drop publication causeboard")
            #expect(try await Migrator(database.owner, logger: log.logger).migrate(now: .noon) == 0)
            #expect(try await database.owner.ask("select count(*) from pg_publication") == ["1"])
            #expect(try await database.owner.ask(rows) == before, "rights that are there are not granted again")
            #expect(log.messages == [])
        }
    }

    @Test("what only an administrator may make is said at every migrate, with what to run") func reported() async throws
    {
        try await withTestDatabase { database in
            try await database.owner.script(
                """
                drop publication causeboard;
                create role causeboard_plain_owner;
                grant select on all tables in schema public to causeboard_plain_owner;
                """)
            var plain = database.owner
            plain.session["role"] = "causeboard_plain_owner"
            let name = try await database.owner.ask("select quote_ident(current_database())")[0]
            for _ in 1...2 {
                let log = CapturedLog(level: .warning)
                #expect(try await Migrator(plain, logger: log.logger).migrate(now: .noon) == 0)
                #expect(
                    log.messages == [
                        """
                        The role causeboard_server was not granted to causeboard_plain_owner. Log in as \
                        causeboard_server itself to serve, or as an administrator: grant causeboard_server to \
                        causeboard_plain_owner;
                        """,
                        """
                        causeboard_plain_owner may not make or change the publication causeboard, which takes CREATE \
                        on the database. Ranks come from SQL without it. As an administrator: grant create on database \
                        \(name) to causeboard_plain_owner; and migrate again.
                        """,
                    ])
            }
            try await database.owner.script("drop owned by causeboard_plain_owner; drop role causeboard_plain_owner")
        }
    }

    @Test("rights and the publication give way to those who hold their locks, name them, and are made after that")
    func locked() async throws {
        try await withTestDatabase { database in
            try await database.owner.script("drop publication causeboard")
            var holder = database.owner
            holder.session["application_name"] = "nightly report"
            let report = try await Connection.open(holder, logger: .none)
            defer { report.close() }
            try await report.script("begin; lock table standing in exclusive mode")

            var patience = Migrator.Patience()
            (patience.lockMilliseconds, patience.triesMax, patience.pause) = (20, 3, .zero)
            let log = CapturedLog(level: .warning)
            let migrator = Migrator(database.owner, patience: patience, logger: log.logger)
            let failure = await #expect(throws: Migrator.Failure.self) { _ = try await migrator.migrate(now: .noon) }
            guard case .rightsLocked(let holders) = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(holders.map(\.application) == ["nightly report"])
            #expect(log.messages.count == 2 && log.messages.allSatisfy { $0.hasSuffix("Trying again.") })
            try await report.script("commit")
            #expect(try await migrator.migrate(now: .noon) == 0)
            #expect(try await database.owner.ask("select count(*) from pg_publication") == ["1"])
        }
    }

    private static let rights = """
        select has_table_privilege('causeboard_server', 'score', 'insert')
           and has_table_privilege('causeboard_server', 'donation', 'insert')
           and has_table_privilege('causeboard_server', 'charity_total', 'select')
           and has_table_privilege('causeboard_server', 'ledger_tally', 'select')
           and not has_table_privilege('causeboard_server', 'score', 'update')
        """
}
