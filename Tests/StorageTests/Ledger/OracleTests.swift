import Domain
import Postgres
import TestDatabases
import TestDice
import Testing

@testable import Storage

/// Every batch is judged by the old statements first, in a transaction that is rolled back, and then by Swift: the
/// answers and all tables must be the same.
@Suite struct OracleTests {
    @Test(
        "whatever the batches, Swift judges and writes as the statements that did it within PostgreSQL",
        arguments: Dice.seeds(11, 12, 13)
    )
    func random(seed: UInt64) async throws {
        try await withTestDatabase { database in
            var history = try await History(database, seed: seed)
            var batch = Batch()
            for _ in 0..<40 {
                let isRepeated = batch.isOneToRepeat && history.percent(15)
                if !isRepeated { batch = try Batch(&history, database) }
                let oracle = try await batch.asked(database, isRepeated: isRepeated)
                let answer = try await database.store.commit(
                    scores: batch.scores,
                    donations: batch.donations,
                    isRepeated: isRepeated,
                    marker: nil,
                    now: .noon
                )
                for (score, (ours, theirs)) in zip(batch.scores, zip(answer.scores, oracle.scores)) {
                    #expect(ours.known == theirs.known, "\(score)")
                }
                for (donation, (ours, theirs)) in zip(batch.donations, zip(answer.donations, oracle.donations)) {
                    #expect(ours.known == theirs.known, "\(donation)")
                }
                #expect(try await Batch.tables(database) == oracle.tables)
            }
            #expect(try await database.auditComplaints() == [])
        }
    }
}

/// Scores and donations, and what the oracles say of them.
private struct Batch {
    var scores: [NewScore] = []
    var donations: [NewDonation] = []

    init() {}

    init(_ history: inout History, _ database: TestDatabase) throws {
        if history.percent(70) { scores = try history.scores() }
        if scores.isEmpty || history.percent(40) { donations = try history.donations() }
    }

    /// Whether the batch may be sent again as if its answer had been lost.
    var isOneToRepeat: Bool { !scores.isEmpty || !donations.isEmpty }

    private struct RolledBack: Error {}

    func asked(_ database: TestDatabase, isRepeated: Bool) async throws -> (
        scores: [ScoreReceipt], donations: [DonationReceipt], tables: [String]
    ) {
        var found: (scores: [ScoreReceipt], donations: [DonationReceipt], tables: [String])?
        try await database.store.ledgerPool.withConnection { connection in
            do {
                try await connection.transaction { connection in
                    let (_, scores, donations) = try await connection.pipeline(
                        CallersResolve(scores: scores, donations: donations, marker: nil),
                        ScoreBatch(scores: scores, now: .noon, isRepeated: isRepeated),
                        DonationBatch(
                            donations: donations,
                            now: .noon,
                            isRepeated: isRepeated,
                            scoresCount: scores.count
                        )
                    )
                    found = (scores, donations, try await connection.rows(Tables()))
                    throw RolledBack()
                }
            } catch is RolledBack {}
        }
        return try #require(found)
    }

    /// Everything that a batch may change, as text.
    static func tables(_ database: TestDatabase) async throws -> [String] {
        try await database.store.ledgerPool.withConnection { connection in try await connection.rows(Tables()) }
    }

    private struct Tables: Query {
        static let sql: StaticString = """
            select 'wallet ' || t::text from wallet t union all select 'score ' || t::text from score t
            union all select 'score_note ' || t::text from score_note t
            union all select 'donation ' || t::text from donation t union all select 'tally ' || t::text from tally t
            union all select 'standing ' || t::text from standing t
            union all select 'charity_total ' || t::text from charity_total t order by 1
            """
        static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
    }
}

extension ScoreReceipt {
    /// What the answer says. A row that was not judged says nothing but its outcome.
    fileprivate var known: ScoreReceipt {
        switch outcome {
        case .recorded, .retry, .conflict, .boardClosed, .outOfBounds, .noBoard: self
        default: unsaid
        }
    }

    private var unsaid: ScoreReceipt {
        ScoreReceipt(
            outcome: outcome,
            player: nil,
            id: id,
            board: nil,
            ties: nil,
            points: 0,
            earned: 0,
            best: nil,
            improved: false,
            balance: nil
        )
    }
}

extension DonationReceipt {
    fileprivate var known: DonationReceipt {
        switch outcome {
        case .recorded, .retry, .conflict, .overspent, .noCharity, .charityClosed: self
        default:
            DonationReceipt(
                outcome: outcome,
                row: nil,
                id: id,
                charity: nil,
                points: 0,
                board: nil,
                ties: nil,
                balance: nil
            )
        }
    }
}
