import Postgres

/// How sessions are set up, whoever logs in.
package enum SessionPresets {
    /// The role that can append to the ledgers but neither change nor delete their rows.
    package static let serverRole = "causeboard_server"

    /// The role that can replicate and read nothing.
    package static let streamRole = "causeboard_stream"

    /// Of the server and the operator's verbs: the server's role, and no statement runs for ever. What ranks is in
    /// memory or on a solid-state disk: with the default of 4, made for turning disks, the rank of the first of a
    /// million players was counted by reading the whole table. Nothing here runs long enough to be worth compiling:
    /// where a server has JIT on, as it is by default, a registration took seconds.
    package static let general: [String: String] = [
        "role": serverRole, "application_name": "causeboard", "TimeZone": "UTC", "statement_timeout": "30s",
        "idle_in_transaction_session_timeout": "60s",
        "random_page_cost": "1.1", "jit": "off",
    ]

    /// Of whoever writes the books. Every table here is reached by its key, so a sequential scan is never the better
    /// plan, nor a join that reads a whole index, yet they were chosen for statements prepared on empty, never analysed
    /// tables, which ran at a third of their speed until autovacuum came by. And planning a batch statement anew for
    /// each batch took four times as long as running it, while no batch ever got a better plan for it.
    package static let ledger = general.merging([
        "enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off",
        "plan_cache_mode": "force_generic_plan",
        "statement_timeout": "10s",
    ]) { $1 }

    /// Of the owner, who migrates.
    package static let owning: [String: String] = ["application_name": "causeboard migrate", "TimeZone": "UTC"]

    /// Of an audit: it reads everything, and takes its time.
    package static let auditing = general.merging(["application_name": "causeboard audit", "statement_timeout": "0"]) {
        $1
    }
}

extension SessionPresets {
    /// Of whoever fills an empty database: a commit need not be on the disk before the next one begins, since what was
    /// broken off is thrown away whole.
    package static let loading = ledger.merging([
        "application_name": "causeboard demo", "synchronous_commit": "off", "statement_timeout": "300s",
    ]) { $1 }
}
