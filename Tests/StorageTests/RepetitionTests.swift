import Domain
import Postgres
import Synchronization
import TestDatabases
import Testing

@testable import Storage

/// What fails although the next try would succeed, and is therefore done once more.
@Suite struct RepetitionTests {
    private struct BackendPID: Query {
        static let sql: StaticString = "select pg_backend_pid()"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
    }

    private struct Terminate: Query {
        static let sql: StaticString = "select pg_terminate_backend($1, 5000)"
        let pid: Int32
        var binds: Binds { [pid] }
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
    }

    private struct Note: Query {
        static let sql: StaticString = "insert into noted (note) values ($1)"
        typealias Row = Void
        let note: String
        var binds: Binds { [note] }
    }

    private struct Shape: Query {
        static let sql: StaticString = "select * from shape"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int32 { try row.next() }
    }

    private struct Raise: Query {
        static let sql: StaticString = "update pair set n = n + 1 where id = $1"
        typealias Row = Void
        let id: Int
        var binds: Binds { [id] }
    }

    private final class Count: Sendable { let value = Atomic(0) }

    private func withNotes(_ body: (TestDatabase) async throws -> Void) async throws {
        try await withTestDatabase { database in
            try await database.owner.script(
                """
                create table noted (note text not null);
                create table pair (id bigint primary key, n int not null);
                insert into pair values (1, 0), (2, 0);
                create view shape as select 7::int4 as n;
                grant select, insert, update on noted, pair, shape to causeboard_server;
                """)
            try await body(database)
        }
    }

    @Test("a session that an administrator ends during a use is replaced: a read and a change are done once more")
    func terminated() async throws {
        try await withNotes { database in
            let killer = try await Connection.open(database.owner, logger: .none)
            var tries = 0
            func endOnce(_ connection: Connection) async throws(PostgresError) {
                tries += 1
                guard tries == 1 else { return }
                _ = try await killer.row(Terminate(pid: try await connection.row(BackendPID())))
            }
            let shape = try await database.store.general { connection throws(PostgresError) in
                try await endOnce(connection)
                return try await connection.row(Shape())
            }
            #expect(shape == 7)
            #expect(tries == 2)
            tries = 0
            try await database.store.changing { connection throws(PostgresError) in
                try await endOnce(connection)
                _ = try await connection.run(Note(note: "once"))
            }
            #expect(tries == 2)
            #expect(try await database.owner.ask("select note from noted") == ["once"])
        }
    }

    @Test("views that are made anew do not show, however many sessions know the old ones") func replacedViews()
        async throws
    {
        try await withNotes { database in
            let store = database.store
            for round in 1...3 {
                let shapes = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            try await store.general { connection throws(PostgresError) in
                                try await connection.row(Shape())
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(shapes == Array(repeating: 7, count: 8))
                try await database.owner.script(
                    """
                    drop view shape;
                    create view shape as select 7::int4 as n, \(round);
                    grant select on shape to causeboard_server
                    """)
            }
        }
    }

    @Test("of two transactions in a deadlock both succeed") func deadlock() async throws {
        try await withNotes { database in
            let store = database.store
            let (locked, ended) = (Count(), Count())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (first, second) in [(1, 2), (2, 1)] {
                    group.addTask {
                        try await store.ledger { connection throws(PostgresError) in
                            // The victim, when it begins again, must not take its first row before the other one is
                            // woken for it, or there is a second deadlock.
                            let isVictim = locked.value.load(ordering: .relaxed) == 2
                            while isVictim, ended.value.load(ordering: .relaxed) == 0 { await Task.yield() }
                            try await connection.transaction { connection throws(PostgresError) in
                                try await connection.run(Raise(id: first))
                                locked.value.add(1, ordering: .relaxed)
                                while locked.value.load(ordering: .relaxed) < 2 { await Task.yield() }
                                _ = try await connection.run(Raise(id: second))
                            }
                        }
                        ended.value.add(1, ordering: .relaxed)
                    }
                }
                try await group.waitForAll()
            }
            #expect(locked.value.load(ordering: .relaxed) == 3)
            #expect(try await database.owner.ask("select n from pair") == ["2", "2"])
        }
    }

    @Test(
        "a batch, a registration and a first post that the database undoes are sent once more",
        arguments: ["40001", "40P01"]) func undone(state: String) async throws
    {
        try await withNotes { database in
            try await database.addBoard("quiz")
            let player = try await database.addPlayer("Ada")
            // Sequences are not rolled back, so the trigger fails once for each table.
            for table in ["score", "player"] {
                try await database.owner.script(
                    """
                    create sequence undone_\(table);
                    create function undo_\(table)() returns trigger language plpgsql security definer as $$ begin
                      if nextval('undone_\(table)') = 1 then raise exception using errcode = '\(state)'; end if;
                      return new;
                    end $$;
                    create trigger undo before insert on \(table) for each row execute function undo_\(table)()
                    """)
            }
            _ = try await database.post(5, by: player, on: "quiz")
            _ = try await database.addPlayer("Grace")
            let values = "select last_value from undone_score union all select last_value from undone_player"
            #expect(try await database.owner.ask(values) == ["2", "2"])
            try await database.owner.script("alter sequence undone_score restart")
            let first = try await database.store.registerAndRecord(
                Registration(name: try PlayerName("Joan", field: "name"), source: "test"),
                device: database.device(of: "Joan"), in: database.game, marker: nil, now: .noon
            ) { NewScore(5, by: .player($0), on: .of("quiz"), in: .defaultGame, id: nil, reachedAt: .noon) }
            guard case .recorded = first else { throw TestDatabaseError("not recorded") }
            #expect(try await database.owner.ask("select count(*) from score") == ["2"])
        }
    }

    @Test("a database that is away, overloaded or in disagreement is not asked twice") func notRepeated() async throws {
        try await withNotes { database in
            var tries = 0
            await #expect(throws: StoreError.bug(.undefinedTable)) {
                try await database.store.general { connection throws(PostgresError) in
                    tries += 1
                    try await connection.script("select * from nowhere")
                }
            }
            #expect(tries == 1)
            await #expect(throws: StoreError.overloaded) {
                try await database.store.general { connection throws(PostgresError) in
                    tries += 1
                    try await connection.script("set statement_timeout = 1; select pg_sleep(10)")
                }
            }
            #expect(tries == 2)
        }
    }
}

extension SQLState { fileprivate static var undefinedTable: SQLState { SQLState(rawValue: "42P01") ?? .misuse } }
