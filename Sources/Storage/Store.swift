import Domain
package import Logging
package import Postgres

/// Runs the use cases on the database and turns rows into domain values. Each statement file has one ``Query``.
package struct Store: Sendable {
    /// Lends connections to readers and to admin commands, which change everything but the ledgers.
    let generalPool: Pool
    /// Lends connections to use cases that write players and the ledgers; their sessions plan for index lookups (see
    /// ``SessionPresets/ledger``).
    let ledgerPool: Pool
    private let logger: Logger

    package init(general: Pool, ledger: Pool, logger: Logger) {
        self.generalPool = general
        self.ledgerPool = ledger
        self.logger = logger
    }

    /// How many connections there are for readers, at most.
    package var readConnectionsMax: Int { generalPool.limits.connectionsMax }

    func general<Value: Sendable>(
        _ body: (Connection) async throws(PostgresError) -> Value
    ) async throws(StoreError) -> Value {
        try await lending(generalPool, body)
    }

    func ledger<Value: Sendable>(
        _ body: (Connection) async throws(PostgresError) -> Value
    ) async throws(StoreError) -> Value {
        try await lending(ledgerPool, body)
    }

    private func lending<Value: Sendable>(
        _ pool: Pool,
        _ body: (Connection) async throws(PostgresError) -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.withConnection(body)
        } catch {
            throw failure(error)
        }
    }

    /// Logs an error of PostgreSQL, once, and turns it into a ``StoreError``. The log has the SQLSTATE, table and
    /// constraint, but not the message, which may quote row values.
    func failure(_ error: PostgresError) -> StoreError {
        let failure = StoreError(error)
        switch failure {
        case .unavailable, .overloaded:
            logger.warning("the database is away or overloaded", metadata: ["sqlstate": "\(error.state)"])
        case .bug:
            logger.error(
                "the database refused a statement",
                metadata: [
                    "sqlstate": "\(error.state)", "table": "\(error.details.table)",
                    "constraint": "\(error.details.constraint)",
                ]
            )
        }
        return failure
    }
}
