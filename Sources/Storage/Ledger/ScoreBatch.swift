import Domain
import FoundationEssentials
import Postgres
import Statements

/// `score_batch.sql`
struct ScoreBatch: Query {
    static let sql = SQL.scoreBatch
    let scores: [NewScore]
    let now: Instant
    /// Whether an earlier attempt at this batch may have been committed.
    let isRepeated: Bool
    var binds: Binds {
        [
            scores.map(\.caller.tokenBytes), scores.map(\.caller.keyBytes), scores.map(\.caller.deviceBytes),
            scores.map(\.caller.player),
            scores.map(\.game), scores.map(\.board), scores.map(\.id), scores.map(\.points), scores.map(\.playedAt),
            scores.map(\.detail), scores.map(\.name?.description), scores.map(\.isClassic),
            scores.map(\.hasNoClientID), scores.map(\.reachedAt), now, isRepeated,
        ]
    }
    /// Receipts come in the order of the scores.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> ScoreReceipt {
        let _: Int64 = try row.next()
        return try ScoreReceipt(
            outcome: row.next(),
            player: row.next(),
            id: row.next(),
            board: row.next(),
            ties: row.next(),
            points: row.next(),
            earned: row.next(),
            best: row.next(),
            improved: row.next(),
            balance: row.next()
        )
    }
}

extension Caller {
    /// The hashes as statements bind them.
    var tokenBytes: Bytes? { token.map { Bytes($0.bytes) } }
    var keyBytes: Bytes? { key.map { Bytes($0.bytes) } }
    var deviceBytes: Bytes? { device.map { Bytes($0.bytes) } }
}
