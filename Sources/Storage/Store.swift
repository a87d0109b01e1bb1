import Domain
package import Logging
package import Postgres

/// The one place where rows become domain values: one query a file, one transaction a use case.
package struct Store: Sendable {
    /// Lends connections to readers, and to whoever changes what is not the books: the operator's verbs.
    let generalPool: Pool
    /// Lends connections to whoever writes the books; their sessions plan for index lookups (see ``SessionPresets``).
    let ledgerPool: Pool
    private let logger: Logger

    package init(general: Pool, ledger: Pool, logger: Logger) {
        self.generalPool = general
        self.ledgerPool = ledger
        self.logger = logger
    }

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

    /// Errors of PostgreSQL stop here: they are logged once, by their SQLSTATE and place; their words quote row values.
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
