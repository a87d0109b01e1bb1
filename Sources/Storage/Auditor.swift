import Postgres

/// Adds both ledgers up again by GROUP BY queries and compares every wallet, standing and tally.
package struct Auditor: Sendable {
    private let store: Store

    /// - Parameter store: Its sessions should be ``Sessions/auditing``.
    package init(_ store: Store) {
        self.store = store
    }

    /// All checks on one snapshot, so that posts which arrive meanwhile make no difference.
    package func findings() async throws(StoreError) -> [AuditFinding] {
        try await store.general { connection throws(PostgresError) in
            try await connection.transaction(.repeatableReadReadOnly) { connection throws(PostgresError) in
                try await [
                    connection.row(AuditLedgers()), connection.row(AuditWallets()), connection.row(AuditSpent()),
                    connection.row(AuditStandings()),
                    connection.row(AuditTallies()), connection.row(AuditGivingStandings()), connection.row(AuditGivingTallies()),
                ]
            }
        }
    }
}
