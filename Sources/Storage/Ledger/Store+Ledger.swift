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
    ///   - putsOffLong: Whether slow rows get the outcome `deferred`, so that other rows do not wait for them: scores
    ///     that fund their player's donations again, which reads all donations of the player; scores that need a long
    ///     history; and donations to charities with a cap, which wait for each other.
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
