import Postgres
import Statements

/// Whether what the database has committed outlasts a crash, and a fail-over.
package struct Durability: Sendable, Equatable {
    let flushes: Bool
    let writesFullPages: Bool
    let synchronousCommit: String
    let hasSynchronousStandbys: Bool

    /// A sentence for each setting with which a crash may lose or destroy what was acknowledged, and what to do.
    package var dangers: [String] {
        var dangers: [String] = []
        if !flushes {
            dangers.append(
                "fsync is off, so a power cut may destroy the database: `alter system set fsync = on`, then reload.")
        }
        if !writesFullPages {
            dangers.append(
                """
                full_page_writes is off, so a power cut may tear pages: `alter system set full_page_writes = on`, then \
                reload.
                """)
        }
        if synchronousCommit == "off" {
            dangers.append(
                """
                synchronous_commit is off although each session switches it on, so a crash may lose what was \
                acknowledged: let a pooler keep the settings of sessions, or set it to on for role and database.
                """)
        }
        return dangers
    }

    /// A sentence for each setting with which a fail-over may lose what was acknowledged, which an operator may want.
    package var warnings: [String] {
        guard hasSynchronousStandbys, ["local", "remote_write"].contains(synchronousCommit) else { return [] }
        return [
            """
            synchronous_commit is \(synchronousCommit), so a fail-over to a synchronous standby may lose what was \
            acknowledged; with on it cannot.
            """
        ]
    }
}

extension Store {
    /// The settings that decide whether what the sessions of the ledgers commit is kept.
    package func durability() async throws(StoreError) -> Durability {
        try await ledger { connection throws(PostgresError) in try await connection.row(DurabilityRead()) }
    }
}
