import Domain
import FoundationEssentials
import Postgres
import Statements

/// `gift_batch.sql`
struct GiftBatch: Query {
    static let sql = SQL.giftBatch
    let gifts: [NewGift]
    let now: Instant
    /// An earlier try may have been committed.
    let isRepeated: Bool
    /// Rows of the batch before these.
    let scoresCount: Int
    var binds: Binds {
        [
            gifts.map(\.caller.tokenBytes), gifts.map(\.caller.keyBytes), gifts.map(\.caller.deviceBytes), gifts.map(\.caller.player),
            gifts.map(\.game), gifts.map(\.id), gifts.map(\.charity.text), gifts.map { $0.isByName ? $0.charity.folded : nil },
            gifts.map(\.points), gifts.map(\.isAnonymous), gifts.map(\.isIDless), gifts.map(\.reachedAt), now, isRepeated,
            Int32(truncatingIfNeeded: scoresCount),
        ]
    }
    /// In the order of the gifts.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> GiftReceipt {
        let _: Int64 = try row.next()
        return try GiftReceipt(
            outcome: row.next(), row: row.next(), id: row.next(), charity: row.next(), points: row.next(), board: row.next(),
            ties: row.next(), left: row.next())
    }
}
