import CPQ

extension Connection {
    /// Runs a script of several statements, for migrations: the simple protocol, no binds, no rows. Unless it says otherwise, it is one
    /// transaction.
    /// - Throws: The first error. It is never called safe to retry, because a script may commit on its way.
    package func script(_ sql: String) async throws(PostgresError) {
        let session = try lent()
        let handle = try session.enter()
        do throws(PostgresError) {
            guard PQsendQuery(handle, sql) == 1 else { throw session.lost(handle, nothingSent: true) }
            if let failure = try await session.drainSimple(handle) { throw failure.with(safeToRetry: false) }
            session.leave()
        } catch {
            session.leave()
            throw error
        }
    }
}
