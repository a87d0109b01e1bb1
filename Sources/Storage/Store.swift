import Domain
package import Logging
package import Postgres

/// The one place where rows become domain values: one query a file, one transaction a use case.
package struct Store: Sendable {
    /// Lends connections to whoever reads, and to the operator's verbs.
    let reads: Pool
    /// Lends connections to whoever writes the books; their sessions plan for index lookups (see ``Sessions``).
    let writes: Pool
    private let logger: Logger

    package init(reads: Pool, writes: Pool, logger: Logger) {
        self.reads = reads
        self.writes = writes
        self.logger = logger
    }

    func reading<Value: Sendable>(
        _ body: (Connection) async throws(PostgresError) -> Value
    ) async throws(StoreError) -> Value {
        try await lending(reads, body)
    }

    func writing<Value: Sendable>(
        _ body: (Connection) async throws(PostgresError) -> Value
    ) async throws(StoreError) -> Value {
        try await lending(writes, body)
    }

    private func lending<Value: Sendable>(
        _ pool: Pool, _ body: (Connection) async throws(PostgresError) -> Value
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
                metadata: ["sqlstate": "\(error.state)", "table": "\(error.details.table)", "constraint": "\(error.details.constraint)"])
        }
        return failure
    }
}
