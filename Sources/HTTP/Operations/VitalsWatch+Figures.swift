import Storage
import Telemetry

extension VitalsWatch.Report {
    /// Writes PostgreSQL's own statistics, waiting work in the database, and the free space on the disk.
    func write(to metrics: inout MetricsText) { for figure in Self.figures { figure.write(self, to: &metrics) } }

    private static let figures: [Figure<VitalsWatch.Report>] = [
        Figure("data_disk_bytes", "Size of the disk with the data of the embedded database.") { $0.disk?.bytes },
        Figure("data_disk_free_bytes", "Free space on that disk.") { $0.disk?.freeBytes },
        Figure("contests_due", "Challenges that are due to be settled, at most 10,000.") { $0.challengesDue },
        Figure("postgres_look_age_seconds", "Age of the metrics that begin with postgres_; 15 or less is normal.") {
            $0.age.components.seconds
        }, Figure("postgres_connections", "Connections to all databases of PostgreSQL.") { $0.database?.connections },
        Figure("postgres_connections_max", "Most connections that PostgreSQL accepts.") { $0.database?.connectionsMax },
        Figure("postgres_lock_waits", "Sessions of PostgreSQL that wait for a lock.") { $0.database?.lockWaits },
        Figure(
            "postgres_slots", "Replication slots: all, those that nobody reads, and those that are lost.", by: "state"
        ) { $0.database.map { [("all", $0.slots), ("unread", $0.unreadSlots), ("lost", $0.lostSlots)] } },
        Figure("postgres_slot_wal_bytes", "WAL kept for the slot that is furthest behind.") { $0.database?.slotBytes },
        Figure("postgres_slot_wal_bytes_max", "Most WAL kept for a slot; beyond it the slot is lost.") {
            $0.database?.slotBytesMax
        }, Figure("postgres_wal_bytes_total", "WAL since PostgreSQL's statistics began.") { $0.database?.walBytes },
        Figure(
            "postgres_transaction_age",
            "Age of the oldest transaction id in a row; at 2,000 million PostgreSQL stops writes."
        ) { $0.database?.transactionAge },
        Figure("postgres_database_bytes", "Size of the database on disk.") { $0.database?.bytes },
        Figure("postgres_dead_rows", "Dead rows of the tables with the most rows.", by: "table") {
            $0.database?.tables.map { ($0.name, $0.deadRows) }
        },
        Figure("postgres_live_rows", "Rows of the tables with the most rows, as PostgreSQL estimates.", by: "table") {
            $0.database?.tables.map { ($0.name, $0.liveRows) }
        },
        Figure("postgres_table_bytes", "Size of the tables with the most rows, with their indexes.", by: "table") {
            $0.database == nil || $0.sizes.isEmpty ? nil : $0.sizes.map { ($0.name, $0.bytes) }
        },
    ]
}
