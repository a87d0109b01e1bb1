import Domain
import Postgres
import Statements

/// One setting of a database whose settings are not ours to make, with what it costs.
package struct DatabaseSetting: Sendable, Equatable {
    package let name: String
    /// The value as SHOW prints it.
    package let value: String
    /// Bytes, milliseconds or a bare number; nil for a word.
    let amount: Int64?
    /// How many sessions of those that the setting bounds there are now; nil for other settings.
    let inUse: Int64?

    /// What the value costs and what to set instead; nil where there is nothing to say.
    ///
    /// The figures are processor time of PostgreSQL, measured with a million players and two million scores on two
    /// cores.
    package var advice: String? {
        switch (name, value, amount) {
        case ("shared_buffers", _, let bytes?) where bytes < Limits.sharedBuffersAdvisedBytes:
            """
            with 128MB a post took about 35 to 60 us more than with 2GB; set a quarter of that machine's memory, then \
            restart
            """
        case ("max_wal_size", _, let bytes?) where bytes < Limits.walAdvisedBytes:
            """
            checkpoints come often under load, and after each a post writes about 20 KB of log until most pages have \
            been written once, in place of about 1 KB; set 16GB, or a tenth of that disk, then reload
            """
        case ("checkpoint_timeout", _, let milliseconds?) where milliseconds < Limits.checkpointAdvisedMilliseconds:
            """
            after each checkpoint a post writes about 20 KB of log until most pages have been written once, in place \
            of about 1 KB; set 30min, then reload; a recovery after a crash takes longer then
            """
        case ("wal_compression", let method, _) where method != "off":
            """
            after a checkpoint a post takes about 30 to 46 us more with lz4, and writes half of the log; set off, then \
            reload, unless the disk is slow
            """
        case ("max_slot_wal_keep_size", _, let bytes?) where bytes < 0:
            """
            a replication slot that no server reads keeps log until the disk is full and all writes stop; set twice \
            max_wal_size, but less than is free on the disk, then reload; a server that loses its slot loads the \
            standings again
            """
        case ("max_replication_slots", _, let most?), ("max_wal_senders", _, let most?): tooFew(of: most)
        case ("autovacuum", "off", _):
            "rows that posts have replaced are never removed, so every table grows and slows down; set on, then reload"
        case ("jit", "on", _):
            """
            statements are compiled anew, and a registration took seconds, although each session switches it off: let \
            a pooler keep the settings of sessions, or set it to off for role and database
            """
        default: nil
        }
    }

    /// - Parameter most: The setting's number.
    private func tooFew(of most: Int64) -> String? {
        guard let inUse, inUse > most - Limits.replicationSessionsOfServer else { return nil }
        return """
            \(inUse) in use, and another server process takes one and for a moment a second one, or ranks by SQL; set \
            \(inUse + Limits.replicationSessionsOfServer) or more, then restart
            """
    }
}

extension Store {
    /// The settings that decide what a post costs, how much log is kept and whether another server fits, as far as the
    /// login may read them, by name.
    package func databaseSettings() async throws(StoreError) -> [DatabaseSetting] {
        try await general { connection throws(PostgresError) in try await connection.rows(DatabaseSettingsRead()) }
    }
}
