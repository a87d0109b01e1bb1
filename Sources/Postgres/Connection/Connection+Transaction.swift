extension Connection {
    /// Runs `body` in a transaction: commits when it returns, rolls back when it throws. When no statement depends on
    /// another one's rows, `transactionPipeline` does it in one round trip.
    /// - Throws: What `body` throws. As `E`: 25001 inside a transaction, 25P02 when `body` returned although one of its
    ///   statements had failed, and any error of the commit. After 08006 from the commit it is unknown whether the
    ///   transaction was committed.
    @discardableResult package func transaction<T, E: PostgresErrorConvertible>(
        _ mode: TransactionMode = .readCommitted, _ body: (Connection) async throws(E) -> T
    ) async throws(E) -> T { do { return try await inTransaction(mode, body) } catch { throw error.merged } }

    /// Does the same for a body that throws any error.
    @discardableResult package func transaction<T>(
        _ mode: TransactionMode = .readCommitted, _ body: (Connection) async throws -> T
    ) async throws -> T { do { return try await inTransaction(mode, body) } catch { throw error.merged } }

    /// Runs `body` in a read-only transaction that sees an exported snapshot.
    /// - Throws: What `body` throws. As `E`, 22023 when the snapshot no longer exists.
    package func reading<T, E: PostgresErrorConvertible>(
        _ snapshot: SnapshotName, _ body: (Connection) async throws(E) -> T
    ) async throws(E) -> T {
        try await transaction(.repeatableReadReadOnly) { connection throws(E) in
            do throws(PostgresError) {
                // A name cannot be a bind here; it is safe in the text, because it has only hex digits and hyphens.
                try await connection.script("set transaction snapshot '\(snapshot.text)'")
            } catch { throw E(error) }
            return try await body(connection)
        }
    }

    private func inTransaction<T, E: Error>(_ mode: TransactionMode, _ body: (Connection) async throws(E) -> T)
        async throws(LentFailure<E>) -> T
    {
        let session: Session
        do throws(PostgresError) {
            session = try lent()
            try session.refuseOpenTransaction()
        } catch { throw .postgres(error) }
        do throws(PostgresError) { try await session.run([.control(mode.begin)]) } catch {
            await session.rollBack()  // the cancelled BEGIN may have been carried out
            throw .postgres(error)
        }
        let value: T
        do throws(E) { value = try await body(self) } catch {
            await session.rollBack()
            throw .body(error)
        }
        do throws(PostgresError) { try await session.commit() } catch {
            await session.rollBack()
            throw .postgres(error)
        }
        return value
    }
}

/// What a transaction sees and may do.
package enum TransactionMode: Sendable {
    /// Each statement sees what was committed before it began, whatever the role's or the database's default. A default
    /// of read-only is heeded, because operators and providers close a database with it: writes then fail with 25006.
    case readCommitted
    /// All statements see what was committed before the first one; nothing may be written.
    case repeatableReadReadOnly

    var begin: StaticString {
        switch self {
        case .readCommitted: "begin isolation level read committed"
        case .repeatableReadReadOnly: "begin isolation level repeatable read, read only"
        }
    }
}
