import Domain
import Postgres
import Statements

/// `pictures_idle.sql`
struct PicturesIdle: Query {
    static let sql = SQL.picturesIdle
    /// Nil for the beginning.
    let after: AvatarHash?
    let before: Instant
    var binds: Binds { [Bytes(after?.bytes ?? []), before, Limits.sweptRows] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (hash: AvatarHash, isIdle: Bool) {
        (try row.next(), try row.next())
    }
}
