package import Domain
import Postgres

extension Store {
    /// Commits scores and donations that came together, in one transaction of one round trip: BEGIN; lock the players;
    /// judge and write; COMMIT.
    /// - Parameters:
    ///   - scores: At most one row of a player in both together is judged; the others are `later`, as are those of
    ///     players whom somebody else has
    ///     locked.
    ///   - isRepeated: The same rows were asked before, and nobody knows whether they were committed: then they are
    ///     `recorded` once more.
    ///   - token: Comes with the commit in the replication stream, under the prefix `causeboard`; nil when nobody waits
    ///     for it.
    /// - Returns: A receipt for each, in their order. Nothing is acknowledged before its commit.
    /// - Throws: What failed, and whether the rows may have been committed all the same.
    package func commit(scores: [NewScore], donations: [NewDonation], isRepeated: Bool, marker: String?, now: Instant)
        async throws(CommitFailure)
        -> (scores: [ScoreReceipt], donations: [DonationReceipt])
    {
        let take = CallersResolve(callers: scores.map(\.caller) + donations.map(\.caller), marker: marker)
        let judged: ([ScoreReceipt], [DonationReceipt])
        do throws(PostgresError) {
            judged = try await ledgerPool.withConnection { connection throws(PostgresError) in
                try await Self.commit(
                    take,
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
        _ take: CallersResolve,
        _ scores: ScoreBatch,
        _ donations: DonationBatch,
        on connection: Connection
    )
        async throws(PostgresError)
        -> ([ScoreReceipt], [DonationReceipt])
    {
        if donations.donations.isEmpty { return (try await connection.transactionPipeline(take, scores).1, []) }
        if scores.scores.isEmpty { return ([], try await connection.transactionPipeline(take, donations).1) }
        let (_, scores, donations) = try await connection.transactionPipeline(take, scores, donations)
        return (scores, donations)
    }
}
