package import Domain
import Postgres

extension Administration {
    /// Makes everything that is derived what ledgers and corrections say, in one transaction, and logs what it changed.
    /// Posts and donations wait meanwhile. Ledgers, corrections and the log stay as they are.
    /// - Returns: How many rows of each table it changed, in the order of the tables' dependence.
    package func repairRollups(by actor: String, now: Instant) async throws(StoreError) -> [(
        table: String, rows: Int64
    )] {
        try await store.changing { connection throws(PostgresError) in
            try await connection.transaction { connection throws(PostgresError) in
                try await connection.lockTallies()
                var repaired: [(table: String, rows: Int64)] = []
                repaired.append(("wallet", try await connection.row(RepairWallets())))
                repaired.append(("score_state", try await connection.row(RepairScoreStates())))
                repaired.append(("donation_state", try await connection.row(RepairDonationStates())))
                repaired.append(("standing", try await connection.row(RepairStandings())))
                repaired.append(("tally", try await connection.row(RepairTallies())))
                repaired.append(("best_posts", try await connection.row(RepairBestPosts())))
                repaired.append(("charity_total", try await connection.row(RepairCharityTotals())))
                repaired.append(("charity_donated", try await connection.row(RepairCaps())))
                guard repaired.contains(where: { $0.rows > 0 }) else { return repaired }
                try await connection.run(all: [MarkerEmit(marker: CommittedChanges.repairMarker)])
                let log = LogWriter(
                    at: now, action: nil, actor: actor, kind: "repair", subject: "-",
                    values: repaired.filter { $0.rows > 0 }.map { ($0.table, String($0.rows)) }, words: nil)
                _ = try await log.write(on: connection)
                return repaired
            }
        }
    }
}
