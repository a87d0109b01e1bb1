import Domain
package import FoundationEssentials
import Postgres

extension Store {
    /// Brings a device to the player of a code, and makes the player for whom it spoke one with that one, in one
    /// transaction with the entry of the log. It is an action of the player's own, which an operator may undo.
    /// - Parameters:
    ///   - action: A new id, under which it is logged.
    ///   - marker: The commit marker, as in ``commit(scores:donations:isRepeated:marker:known:now:)``.
    package func joinMerging(_ joining: Joining, as action: UUID, marker: String?) async throws(StoreError)
        -> JoinOutcome
    {
        do throws(ModerationRollback) {
            return try await ledgerPool.withConnection { connection throws(ModerationRollback) in
                let judged = try await Self.failing { () throws(PostgresError) in
                    try await joining.judge(on: connection)
                }
                guard case .join(let owner, let current?, let logEntry) = judged else {
                    if case .settled(let outcome) = judged { return outcome }
                    return .codeRefused
                }
                let outcome = try await connection.transaction { connection throws(ModerationRollback) in
                    try await Self.merge(joining, owner, current, action, logEntry, marker: marker, on: connection)
                }
                guard case .codeRefused = outcome else { return outcome }
                // The same request may have come to another server, and used the code while the locks were waited for.
                let again = try await Self.failing { () throws(PostgresError) in try await joining.judge(on: connection)
                }
                if case .settled(let settled) = again, case .known = settled { return settled }
                return outcome
            }
        } catch {
            switch error {
            case .failed(let error) where error.state == .numericValueOutOfRange: return .tooManyPoints
            case .failed(let error): throw failure(error)
            case .answered(.walletFull): return .tooManyPoints
            case .answered: return .mergeLimit
            }
        }
    }

    private static func merge(
        _ joining: Joining, _ owner: Player.ID, _ current: Player.ID, _ action: UUID, _ logEntry: Int64?,
        marker: String?, on connection: Connection
    ) async throws(ModerationRollback) -> JoinOutcome {
        let join = joining.statement(owner, current, merges: true)
        let outcome = try await failing { () throws(PostgresError) -> JoinOutcome? in
            _ = try await connection.row(LockPatience())
            try await connection.run(TalliesShare())
            _ = try await connection.rows(joining.lock(owner, current))
            let histories = HistoryExceeds(player: owner, other: current, rows: Limits.historyOfMergedMax)
            if try await connection.row(histories) { return .historyTooLong }
            return try await connection.row(join)
        }
        guard case .joined = outcome else { return outcome ?? joining.refusal }
        let transaction = ModerationTransaction(
            action: ModerationAction(.merge(current, into: owner), id: action, reason: joining.key.reason),
            actor: "player", now: joining.now, connection: connection)
        _ = try await transaction.perform()
        if let logEntry {
            try await failing { () throws(PostgresError) in try await joining.log(owner, by: logEntry, on: connection) }
        }
        if let marker {
            try await failing { () throws(PostgresError) in try await connection.run(all: [MarkerEmit(marker: marker)])
            }
        }
        return outcome ?? .codeRefused
    }

    private static func failing<Value>(_ body: () async throws(PostgresError) -> Value) async throws(ModerationRollback)
        -> Value
    { do throws(PostgresError) { return try await body() } catch { throw .failed(error) } }
}
