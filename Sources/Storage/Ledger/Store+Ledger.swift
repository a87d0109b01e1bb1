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
    /// - Returns: A receipt for each row, in their order, after the commit.
    /// - Throws: The failure, and whether the rows may have been committed all the same.
    package func commit(scores: [NewScore], donations: [NewDonation], isRepeated: Bool, marker: String?, now: Instant)
        async throws(CommitFailure)
        -> (scores: [ScoreReceipt], donations: [DonationReceipt])
    {
        let resolve = CallersResolve(callers: scores.map(\.caller) + donations.map(\.caller), marker: marker)
        let judged: ([ScoreReceipt], [DonationReceipt])
        do throws(PostgresError) {
            judged = try await ledgerPool.withConnection { connection throws(PostgresError) in
                try await Self.commit(
                    resolve,
                    ScoreBatch(scores: scores, now: now, isRepeated: isRepeated),
                    DonationBatch(donations: donations, now: now, isRepeated: isRepeated, scoresCount: scores.count),
                    on: connection
                )
            }
        } catch {
            throw CommitFailure(error: failure(error), mayHaveCommitted: !error.safeToRetry)
        }
        guard judged.0.count == scores.count, judged.1.count == donations.count else {
            throw CommitFailure(error: .wrongRowCount, mayHaveCommitted: true)
        }
        return judged
    }

    private static func commit(
        _ resolve: CallersResolve,
        _ scores: ScoreBatch,
        _ donations: DonationBatch,
        on connection: Connection
    )
        async throws(PostgresError)
        -> ([ScoreReceipt], [DonationReceipt])
    {
        if donations.donations.isEmpty { return (try await connection.transactionPipeline(resolve, scores).1, []) }
        if scores.scores.isEmpty { return ([], try await connection.transactionPipeline(resolve, donations).1) }
        let (_, scores, donations) = try await connection.transactionPipeline(resolve, scores, donations)
        return (scores, donations)
    }
}
