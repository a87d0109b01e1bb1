import Postgres

/// The settings of database sessions, whatever login they use.
package enum SessionPresets {
    /// The role that can append to the ledgers but neither change nor delete their rows.
    package static let serverRole = "causeboard_server"

    /// The role that can replicate but read no table.
    package static let streamRole = "causeboard_stream"

    /// The sessions of the server and of admin commands: they take the server's role and bound every statement's time.
    ///
    /// `random_page_cost` is low because rankings are in memory or on a solid-state disk. With the default of 4, which
    /// is for spinning disks, counting the rank of the first of a million players read the whole table. JIT is off
    /// because no statement runs long enough to be worth compiling; with JIT on, as it is by default, a registration
    /// took seconds.
    package static let general: [String: String] = [
        "role": serverRole, "application_name": "causeboard", "TimeZone": "UTC", "statement_timeout": "30s",
        "idle_in_transaction_session_timeout": "60s", "random_page_cost": "1.1", "jit": "off",
    ]

    /// The sessions that write the ledgers.
    ///
    /// Their statements find every row by its key, so a sequential scan, or a join that reads a whole index, is never
    /// the better plan. PostgreSQL chose such plans all the same for statements prepared on empty, never analyzed
    /// tables, and these ran at a third of their speed until autovacuum analyzed the tables. Plans are generic because
    /// planning a batch statement again for each batch took four times as long as running it and never gave a better
    /// plan.
    package static let ledger = general.merging([
        "enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off",
        "plan_cache_mode": "force_generic_plan", "statement_timeout": "10s",
    ]) { $1 }

    /// The sessions of the owner, who migrates.
    package static let owning: [String: String] = ["application_name": "causeboard migrate", "TimeZone": "UTC"]

    /// The owner's sessions that copy a database, or compare a copy. What is copied is read for as long as that takes.
    package static let copying = owning.merging([
        "application_name": "causeboard backup", "statement_timeout": "0", "lock_timeout": "0",
        "idle_in_transaction_session_timeout": "0",
    ]) { $1 }

    /// The sessions of an audit, which reads everything and has no time limit.
    package static let auditing = general.merging(["application_name": "causeboard audit", "statement_timeout": "0"]) {
        $1
    }
}

extension SessionPresets {
    /// The sessions that fill an empty database with a demo. A commit need not reach the disk before the next one
    /// begins, since an interrupted demo is discarded as a whole. One session holds a lock for all that time.
    package static let loading = ledger.merging([
        "application_name": "causeboard demo", "synchronous_commit": "off", "statement_timeout": "300s",
        "idle_in_transaction_session_timeout": "0",
    ]) { $1 }
}
