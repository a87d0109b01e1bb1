package import Domain
import Postgres
import Statements

/// Whether the database can serve, and which schema it has.
package struct DatabaseState: Sendable, Equatable {
    /// True on a standby, and while transactions are read-only.
    package let isReadOnly: Bool
    /// The number of the newest migration.
    package let migration: Int32

    package init(isReadOnly: Bool, migration: Int32) {
        self.isReadOnly = isReadOnly
        self.migration = migration
    }
}

extension DatabaseState: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = DatabaseState(isReadOnly: try row.next(), migration: try row.next())
    }
}

extension Store {
    package func databaseClock() async throws(StoreError) -> Instant {
        try await general { connection throws(PostgresError) in try await connection.row(DatabaseClockRead()) }
    }

    package func databaseState() async throws(StoreError) -> DatabaseState {
        try await general { connection throws(PostgresError) in try await connection.row(DatabaseStateRead()) }
    }
}
