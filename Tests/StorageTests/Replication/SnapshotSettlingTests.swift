import Postgres
import TestDatabases
import Testing

@testable import Storage

/// A snapshot of the stream takes transactions for finished that the server has not finished yet, and reading a row of
/// one of them would undo it for everybody.
@Suite struct SnapshotSettlingTests {
    private struct Number: Query {
        static let sql: StaticString = "select pg_current_xact_id()::text::int8"
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Int64 { try row.next() }
    }

    @Test("what a snapshot takes for finished is waited for, and what it takes for under way is not")
    func unfinished() async throws {
        try await withTestDatabase { database in
            let writer = try await Connection.open(
                ConnectionSettings(conninfo: database.owner.conninfo),
                logger: .none
            )
            defer { writer.close() }
            try await writer.script("begin")
            let id = try await writer.row(Number())
            // For one snapshot the transaction is finished, for the other it is under way.
            let (finished, underWay) = ("\(id + 1):\(id + 1):", "\(id):\(id):")
            let store = database.store
            #expect(try await !store.finishes(snapshot: finished, within: .zero))
            #expect(try await store.finishes(snapshot: underWay, within: .seconds(60)))
            let waiting = Task { try await store.finishes(snapshot: finished, within: .seconds(60)) }
            try await writer.script("commit")
            #expect(try await waiting.value)
        }
    }
}
