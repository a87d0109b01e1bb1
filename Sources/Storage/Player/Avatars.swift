import Domain
import Postgres
import Statements

/// `avatar_png.sql`
struct AvatarPNG: Query {
    static let sql = SQL.avatarPng
    let hash: AvatarHash
    var binds: Binds { [hash] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (png: [UInt8], isUsed: Bool) {
        let png: Bytes = try row.next()
        return (png.bytes, try row.next())
    }
}

/// `avatars_png.sql`
struct AvatarsPNG: Query {
    static let sql = SQL.avatarsPng
    let hashes: [AvatarHash]
    var binds: Binds { [hashes] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Avatar {
        let hash: AvatarHash = try row.next()
        let png: Bytes = try row.next()
        return Avatar(hash: hash, png: png.bytes)
    }
}
