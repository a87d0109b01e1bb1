package import Domain
import Postgres

extension Store {
    /// Commits a batch of scores and donations in one transaction and one round trip: BEGIN; resolve the callers and
    /// lock their players; judge and write; COMMIT.
    /// - Parameters:
    ///   - scores: The scores, of which at most one of each player is judged, donations included. The others get the
    ///     outcome `deferred`, and so do rows of players whom another transaction has locked.
    ///   - isRepeated: Whether an earlier attempt with the same rows may have been committed. Rows that it did commit
    ///     are reported as `recorded` again.
    ///   - marker: The commit marker, which comes with the commit in the replication stream, under the prefix
    ///     `causeboard`; nil when no request waits for it.
    /// - Returns: A receipt for each row, in their order, after the commit; and whether the marker was written, which
    ///   it is not when the batch could change nothing.
    /// - Throws: The failure, and whether the rows may have been committed all the same.
    package func commit(scores: [NewScore], donations: [NewDonation], isRepeated: Bool, marker: String?, now: Instant)
        async throws(CommitFailure)
        -> (scores: [ScoreReceipt], donations: [DonationReceipt], isMarked: Bool)
    {
        let resolve = CallersResolve(scores: scores, donations: donations, marker: marker)
        let scores = ScoreBatch(scores: scores, now: now, isRepeated: isRepeated)
        let donations = DonationBatch(
            donations: donations,
            now: now,
            isRepeated: isRepeated,
            scoresCount: scores.scores.count
        )
        let judged: ([ScoreReceipt], [DonationReceipt], Bool)
        let commit = {
            (connection: Connection) async throws(PostgresError) -> ([ScoreReceipt], [DonationReceipt], Bool) in
            if resolve.isByToken {
                return try await Self.commit(CallersByToken(resolve: resolve), scores, donations, on: connection)
            }
            return try await Self.commit(resolve, scores, donations, on: connection)
        }
        do throws(PostgresError) {
            // A batch that a deadlock, a fail-over or an administrator undid is not refused for that.
            judged = try await ledgerPool.withConnection(repeatedOnce: Repetition(onlyReads: false), commit)
        } catch {
            throw CommitFailure(error: failure(error), mayHaveCommitted: !error.safeToRetry)
        }
        guard judged.0.count == scores.scores.count, judged.1.count == donations.donations.count else {
            throw CommitFailure(error: .wrongRowCount, mayHaveCommitted: true)
        }
        return judged
    }

    private static func commit<Resolve: Query>(
        _ resolve: Resolve,
        _ scores: ScoreBatch,
        _ donations: DonationBatch,
        on connection: Connection
    )
        async throws(PostgresError)
        -> ([ScoreReceipt], [DonationReceipt], Bool)
    where Resolve.Row == Bool {
        if donations.donations.isEmpty {
            let (marked, scores) = try await connection.transactionPipeline(resolve, scores)
            return (scores, [], marked.first ?? false)
        }
        if scores.scores.isEmpty {
            let (marked, donations) = try await connection.transactionPipeline(resolve, donations)
            return ([], donations, marked.first ?? false)
        }
        let (marked, scores, donations) = try await connection.transactionPipeline(resolve, scores, donations)
        return (scores, donations, marked.first ?? false)
    }
}
