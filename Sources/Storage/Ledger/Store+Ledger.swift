package import Domain
import Postgres
package import Tracing

extension Store {
    /// Commits a batch of scores and donations in one transaction.
    /// - Parameters:
    ///   - scores: The scores, of which at most one of each player is judged, donations included. The others get the
    ///     outcome `deferred`, and so do rows of players whom another transaction has locked.
    ///   - isRepeated: Whether an earlier attempt with the same rows may have been committed. Rows that it did commit
    ///     are reported as `recorded` again.
    ///   - putsOffLong: Whether rows are `deferred` that take long, which nobody else's rows are to wait for: scores
    ///     that fund donations of their players again, for which all that such a player donated is looked at; scores
    ///     for which a long history is looked through; and donations to charities that have a cap, which wait for each
    ///     other.
    ///   - marker: The commit marker, which comes with the commit in the replication stream, under the prefix
    ///     `causeboard`; nil when no request waits for it.
    ///   - histories: Whose histories are long, as far as that is known; nil takes none for long.
    ///   - known: What is known of callers without a question to the database; nil asks for all.
    ///   - memory: By what batches are judged before they are sent; nil judges each under the locks of its players.
    ///   - trace: In which the statements are traced; nil for not at all.
    /// - Returns: What became of the rows, after the commit.
    /// - Throws: The failure, and whether the rows may have been committed all the same.
    package func commit(
        scores: [NewScore], donations: [NewDonation], isRepeated: Bool, putsOffLong: Bool = false,
        histories: LongHistories? = nil, marker: String?, known: KnownCallers? = nil, memory: BatchMemory? = nil,
        now: Instant, trace: InstrumentationContext? = nil
    ) async throws(CommitFailure) -> LedgerAnswer {
        let batch = LedgerBatch(
            scores: scores, donations: donations, isRepeated: isRepeated, putsOffLong: putsOffLong, marker: marker,
            now: now, known: known, histories: histories, memory: memory)
        do throws(PostgresError) {
            // A batch that a deadlock, a fail-over or an administrator undid is not refused for that.
            return try await ledgerPool.withConnection(repeatedOnce: Repetition(onlyReads: false)) {
                connection throws(PostgresError) in
                connection.trace = trace
                return try await batch.commit(on: connection)
            }
        } catch { throw CommitFailure(error: failure(error), mayHaveCommitted: !error.isRolledBack) }
    }
}
