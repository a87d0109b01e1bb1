import Domain
import FoundationEssentials
import Postgres
import Statements

/// `gift_batch.sql`
struct GiftBatch: Query {
    static let sql = SQL.giftBatch
    /// At most one a player.
    let gifts: [NewGift]
    let now: Instant
    var binds: Binds {
        [
            gifts.map(\.player), gifts.map(\.id), gifts.map(\.charity.text), gifts.map(\.charity.folded), gifts.map(\.points),
            gifts.map(\.isAnonymous),
            gifts.map(\.isIDless), gifts.map(\.reachedAt), now,
        ]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (player: Player.ID, receipt: GiftReceipt) {
        let player: Player.ID = try row.next()
        let receipt = try GiftReceipt(
            outcome: row.next(), id: row.next(), charity: row.next(), points: row.next(), board: row.next(), left: row.next())
        return (player, receipt)
    }
}
