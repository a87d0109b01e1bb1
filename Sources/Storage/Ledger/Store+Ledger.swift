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
    ///   - putsOffShort: Whether scores are `deferred` that fund donations of their players again. All that such a
    ///     player gave is looked at for that, which nobody else's rows are to wait for.
    ///   - marker: The commit marker, which comes with the commit in the replication stream, under the prefix
    ///     `causeboard`; nil when no request waits for it.
    ///   - known: What is known of callers without a question to the database; nil asks for all.
    ///   - trace: In which the statements are traced; nil for not at all.
    /// - Returns: A receipt for each row, in their order, after the commit; the indices of the scores that were put off
    ///   because they fund donations again; and whether the marker was written, which it is not when the batch could
    ///   change nothing.
    /// - Throws: The failure, and whether the rows may have been committed all the same.
    package func commit(
        scores: [NewScore],
        donations: [NewDonation],
        isRepeated: Bool,
        putsOffShort: Bool = false,
        marker: String?,
        known: KnownCallers? = nil,
        now: Instant,
        trace: InstrumentationContext? = nil
    ) async throws(CommitFailure) -> (
        scores: [ScoreReceipt], donations: [DonationReceipt], short: [Int], isMarked: Bool
    ) {
        let batch = LedgerBatch(
            scores: scores,
            donations: donations,
            isRepeated: isRepeated,
            putsOffShort: putsOffShort,
            marker: marker,
            now: now,
            known: known
        )
        do throws(PostgresError) {
            // A batch that a deadlock, a fail-over or an administrator undid is not refused for that.
            let answer = try await ledgerPool.withConnection(repeatedOnce: Repetition(onlyReads: false)) {
                connection throws(PostgresError) in
                connection.trace = trace
                return try await batch.commit(on: connection)
            }
            return (answer.scores, answer.donations, answer.short, answer.isMarked)
        } catch {
            throw CommitFailure(error: failure(error), mayHaveCommitted: !error.safeToRetry)
        }
    }
}
