import Storage
import Telemetry

extension OperationHandlers {
    /// Writes PostgreSQL's own statistics, and how much room is left on the disk.
    static func write(_ report: VitalsWatch.Report, to metrics: inout MetricsText) {
        if let disk = report.disk {
            metrics.gauge("data_disk_bytes", "Size of the disk with the data of the embedded database.", disk.bytes)
            metrics.gauge("data_disk_free_bytes", "What is left of it.", disk.freeBytes)
        }
        metrics.gauge(
            "postgres_look_age_seconds",
            "Since the look at PostgreSQL that the figures of postgres_ come from; 15 or less is normal.",
            report.age.components.seconds)
        guard let vitals = report.database else { return }
        metrics.gauge("postgres_connections", "Connections to all databases of PostgreSQL.", vitals.connections)
        metrics.gauge("postgres_connections_max", "How many it takes.", vitals.connectionsMax)
        metrics.gauge("postgres_lock_waits", "Sessions of PostgreSQL that wait for a lock.", vitals.lockWaits)
        metrics.gauge(
            "postgres_slots", "Replication slots, and of these those that nobody reads and those that are lost.",
            [
                (#"{state="all"}"#, vitals.slots), (#"{state="unread"}"#, vitals.unreadSlots),
                (#"{state="lost"}"#, vitals.lostSlots),
            ])
        metrics.gauge(
            "postgres_slot_wal_bytes", "Of the write-ahead log, that are kept for the slot which is furthest behind.",
            vitals.slotBytes)
        if let most = vitals.slotBytesMax {
            metrics.gauge("postgres_slot_wal_bytes_max", "As many are kept; beyond them a slot is lost.", most)
        }
        metrics.counter("postgres_wal_bytes_total", "Bytes of the write-ahead log.", [("", vitals.walBytes)])
        metrics.gauge(
            "postgres_transaction_age",
            "Transactions since the oldest one in the rows; at 2,000 million PostgreSQL takes no writes.",
            vitals.transactionAge)
        metrics.gauge("postgres_database_bytes", "Size of the database on disk.", vitals.bytes)
        func tables(_ name: String, _ help: String, _ value: (DatabaseVitals.Table) -> Int64) {
            metrics.gauge(name, help, vitals.tables.map { (MetricsText.labels([("table", $0.name)]), value($0)) })
        }
        tables("postgres_dead_rows", "Rows to be vacuumed, of the tables with most rows.") { $0.deadRows }
        tables("postgres_live_rows", "Rows of the tables with most rows, as PostgreSQL estimates them.") { $0.liveRows }
        if report.sizes.isEmpty { return }
        metrics.gauge(
            "postgres_table_bytes", "Size of the tables with most rows, with their indexes.",
            report.sizes.map { (MetricsText.labels([("table", $0.name)]), $0.bytes) })
    }
}
