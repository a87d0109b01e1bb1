import Domain
import Postgres
import Statements

extension OwnProfile: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try OwnProfile(
            shown: PublicProfile(row: &row), country: row.next(), wantsUpdates: row.next(), isUnlisted: row.next(),
            earned: row.next(), held: row.next(), balance: row.next(), settling: row.next(), donated: row.next(),
            devicesCount: row.next(), shownName: row.next(), takesAsks: row.next(), planNextOn: row.next())
    }
}

extension PublicProfile: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        try self.init(id: row.next(), name: row.next(), avatar: row.next(), flag: row.next())
    }
}

/// `avatar_image.sql`
struct AvatarImage: Query {
    static let sql = SQL.avatarImage
    let hash: AvatarHash
    var binds: Binds { [hash] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (png: [UInt8], isUsed: Bool) {
        let png: Bytes = try row.next()
        return (png.bytes, try row.next())
    }
}

extension Avatar: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let hash: AvatarHash = try row.next()
        let png: Bytes = try row.next()
        self = Avatar(hash: hash, png: png.bytes)
    }
}
