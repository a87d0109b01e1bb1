import Postgres
import TestDatabases
import Testing

@testable import Storage

/// A snapshot of the stream takes transactions for finished that the server has not finished yet, and reading a row of
/// one of them would undo it for everybody.
@Suite(.serialized) struct SnapshotSettlingTests {
    private struct Number: Query {
        static let sql: StaticString = "select pg_current_xact_id()::text::int8"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int64 { try row.next() }
    }

    @Test("what a snapshot takes for finished is waited for, and what it takes for under way is not") func unfinished()
        async throws
    {
        try await withTestDatabase { database in
            let (writer, id) = try await Self.writer(of: database)
            defer { writer.close() }
            // It takes the transaction for finished.
            let finished = "\(id + 1):\(id + 1):"
            let store = database.store
            #expect(try await !store.finishes(snapshot: finished, within: .zero))
            // Only once a later one has ended does PostgreSQL list the transaction as under way.
            try await database.owner.script("select pg_current_xact_id()")
            #expect(try await !store.finishes(snapshot: finished, within: .zero))
            // The server's own snapshot takes for under way what is.
            let own = try await database.owner.ask("select pg_current_snapshot()")
            #expect(try await store.finishes(snapshot: try #require(own.first), within: .zero))
            let waiting = Task { try await store.finishes(snapshot: finished, within: .seconds(60)) }
            try await writer.script("commit")
            #expect(try await waiting.value)
        }
    }

    @Test("a snapshot whose first transaction to come is before its first one under way is read") func crossed()
        async throws
    {
        // Transactions of other tests may keep the slot waiting for too long. A misread snapshot is so each time.
        for attempt in 1...3 { do { return try await cross() } catch FollowError.busy where attempt < 3 {} }
    }

    private func cross() async throws {
        try await withTestDatabase { database in
            // Each is under way while the new slot notes what is under way; none of them commits.
            let first = try await Self.writer(of: database)
            defer { first.connection.close() }
            let taken = Task {
                let (stream, snapshot) = try await database.snapshot()
                defer { stream.close() }
                try await database.store.reading(snapshot) { _ throws(StoreError) in }
            }
            try await Self.waitUntilAwaited(first.id, of: database)
            let second = try await Self.writer(of: database)
            defer { second.connection.close() }
            try await first.connection.script("rollback")
            try await Self.waitUntilAwaited(second.id, of: database)
            let third = try await Self.writer(of: database)
            defer { third.connection.close() }
            try await second.connection.script("rollback")
            try await taken.value
            try await third.connection.script("rollback")
            third.connection.close()
            try await database.waitUntilNobodyFollows()
        }
    }

    /// A transaction under way, with its id.
    private static func writer(of database: TestDatabase) async throws -> (connection: Connection, id: Int64) {
        let connection = try await Connection.open(ConnectionSettings(conninfo: database.owner.conninfo), logger: .none)
        try await connection.script("begin")
        return (connection, try await connection.row(Number()))
    }

    /// Waits until somebody, such as a new slot, waits for the end of a transaction; for a minute at most, since a slot
    /// may be kept waiting by those of other tests instead.
    private static func waitUntilAwaited(_ id: Int64, of database: TestDatabase) async throws {
        try await database.owner.script(
            """
            do $$ begin
              for n in 1..3000 loop
                exit when exists (select from pg_locks where transactionid::text = '\(id)' and not granted);
                perform pg_sleep(0.02);
              end loop;
            end $$
            """)
    }
}
