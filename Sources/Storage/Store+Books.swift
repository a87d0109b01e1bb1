package import Domain
import Postgres

extension Store {
    /// Records scores in one transaction of one round trip: BEGIN; lock the players; judge and write; COMMIT.
    /// - Returns: A receipt for each, in their order, none of them `later`. Nothing is acknowledged before its commit.
    package func record(_ scores: [NewScore], now: Instant) async throws(StoreError) -> [ScoreReceipt] {
        try await judged(scores, isLater: { $0.outcome == .later }) { scores throws(StoreError) in
            try await intake { connection throws(PostgresError) in
                try await connection.transactionPipeline(CallersLock(callers: scores.map(\.caller)), ScoreBatch(scores: scores, now: now)).1
            }
        }
    }

    /// Records gifts in one transaction of one round trip; none can overspend its wallet.
    /// - Returns: A receipt for each, in their order, none of them `later`.
    package func give(_ gifts: [NewGift], now: Instant) async throws(StoreError) -> [GiftReceipt] {
        try await judged(gifts, isLater: { $0.outcome == .later }) { gifts throws(StoreError) in
            try await intake { connection throws(PostgresError) in
                try await connection.transactionPipeline(CallersLock(callers: gifts.map(\.caller)), GiftBatch(gifts: gifts, now: now)).1
            }
        }
    }

    /// Asks again for the rows that the batch put off, until each is judged. Every pass judges one row of each player at least.
    private func judged<Row, Receipt>(
        _ rows: [Row], isLater: (Receipt) -> Bool, _ batch: ([Row]) async throws(StoreError) -> [Receipt]
    ) async throws(StoreError) -> [Receipt] {
        var receipts = try await batch(rows)
        guard receipts.count == rows.count else { throw .wrongRowCount }
        // One pass more than there are rows: a player may have come between the locks and the batch.
        for _ in 0...rows.count {
            let open = receipts.indices.filter { isLater(receipts[$0]) }
            if open.isEmpty { return receipts }
            let again = try await batch(open.map { rows[$0] })
            guard again.count == open.count else { throw .wrongRowCount }
            for (index, receipt) in zip(open, again) { receipts[index] = receipt }
        }
        throw .overloaded
    }
}
