import CPQ

extension Session {
    /// - Throws: 25001 inside a transaction, where a BEGIN would be a mere warning and the COMMIT would end somebody else's transaction.
    func refuseOpenTransaction() throws(PostgresError) {
        guard let open else { throw PostgresError(.connectionNotOpen, safeToRetry: true) }
        guard PQtransactionStatus(open) == PQTRANS_IDLE || isBusy else { throw PostgresError(.activeTransaction, safeToRetry: false) }
    }

    /// - Throws: 25P02 after a failed statement, when the server would answer a COMMIT with a quiet ROLLBACK.
    func commit() async throws(PostgresError) {
        if let open, PQtransactionStatus(open) == PQTRANS_INERROR { throw PostgresError(.failedTransaction, safeToRetry: false) }
        try await run([Statement("commit", commits: true)])
    }

    /// Ends an open transaction, also of a cancelled task. If that fails the session is closed, and the server rolls back by itself.
    func rollBack() async {
        guard let handle = open, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
        heedsCancellation = false
        defer { heedsCancellation = true }
        do throws(PostgresError) { try await run([Statement("rollback")]) } catch { close() }
    }
}
