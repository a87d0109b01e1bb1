import Domain
import FoundationEssentials
import Postgres
import Statements

/// `score_batch.sql`
struct ScoreBatch: Query {
    static let sql = SQL.scoreBatch
    /// At most one a player.
    let scores: [NewScore]
    let now: Instant
    var binds: Binds {
        [
            scores.map(\.player), scores.map(\.id), scores.map(\.game), scores.map(\.board), scores.map(\.points), scores.map(\.playedAt),
            scores.map(\.name?.description), scores.map(\.isClassic), scores.map(\.isIDless), scores.map(\.reachedAt), now,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (player: Player.ID, receipt: ScoreReceipt) {
        let player: Player.ID = try row.next()
        let receipt = try ScoreReceipt(
            outcome: row.next(), id: row.next(), board: row.next(), points: row.next(), earned: row.next(), best: row.next(),
            improved: row.next(),
            left: row.next())
        return (player, receipt)
    }
}
