import Domain
import Postgres

extension Connection {
    /// Runs a statement in a transaction that holds the lock of a token's player. It fails with 55P03 when somebody
    /// else holds that for long.
    /// - Returns: The statement's rows, after the commit.
    func transaction<Q: Query>(lockingPlayerOf token: TokenHash, _ query: Q) async throws(PostgresError) -> [Q.Row] {
        let lock = CallersLock(callers: [.token(token, claims: nil)])
        // Who is merged while the lock is waited for is another player afterwards, whom a second look finds and locks.
        return try await transactionPipeline(LockPatience(), lock, lock, query).3
    }
}
