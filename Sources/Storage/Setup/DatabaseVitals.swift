import Postgres
import Statements

/// How PostgreSQL itself is, by its own statistics.
package struct DatabaseVitals: Sendable, Equatable {
    /// One of the tables with most rows.
    package struct Table: Sendable, Equatable {
        package let name: String
        /// Rows that were replaced or deleted and not vacuumed yet.
        package let deadRows: Int64
        package let liveRows: Int64
    }

    package let connections: Int64
    package let connectionsMax: Int64
    /// Sessions that wait for a lock.
    package let lockWaits: Int64
    package let slots: Int64
    /// WAL bytes that the slot keeps which is furthest behind.
    package let slotBytes: Int64
    /// Nil for no bound.
    package let slotBytesMax: Int64?
    package let lostSlots: Int64
    /// Slots that nobody reads.
    package let unreadSlots: Int64
    package let walBytes: Int64
    /// Transactions since the oldest one whose number is still in a row.
    package let transactionAge: Int64
    package let bytes: Int64
    package let tables: [Table]
}

/// How large one of the tables with most rows is, with its indexes.
package struct TableSize: Sendable, Equatable {
    package let name: String
    package let bytes: Int64

    package init(name: String, bytes: Int64) {
        self.name = name
        self.bytes = bytes
    }
}

extension TableSize: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) { self = TableSize(name: try row.next(), bytes: try row.next()) }
}

extension DatabaseVitals: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (connections, connectionsMax): (Int64, Int64) = (try row.next(), try row.next())
        let lockWaits: Int64 = try row.next()
        let (slots, slotBytes): (Int64, Int64) = (try row.next(), try row.next())
        let slotBytesMax: Int64? = try row.next()
        let (lostSlots, unreadSlots): (Int64, Int64) = (try row.next(), try row.next())
        let (walBytes, transactionAge, bytes): (Int64, Int64, Int64) = (try row.next(), try row.next(), try row.next())
        let names: [String] = try row.next()
        let (dead, live): ([Int64], [Int64]) = (try row.next(), try row.next())
        self = DatabaseVitals(
            connections: connections, connectionsMax: connectionsMax, lockWaits: lockWaits, slots: slots,
            slotBytes: slotBytes, slotBytesMax: slotBytesMax, lostSlots: lostSlots, unreadSlots: unreadSlots,
            walBytes: walBytes, transactionAge: transactionAge, bytes: bytes,
            tables: zip(names, zip(dead, live)).map { DatabaseVitals.Table(name: $0, deadRows: $1.0, liveRows: $1.1) })
    }
}

extension Store {
    package func databaseVitals() async throws(StoreError) -> DatabaseVitals {
        try await general { connection throws(PostgresError) in try await connection.row(DatabaseVitalsRead()) }
    }

    /// The tables with most rows. It waits while somebody has locked one of them for himself.
    package func tableSizes() async throws(StoreError) -> [TableSize] {
        try await general { connection throws(PostgresError) in try await connection.rows(TableSizesRead()) }
    }
}
