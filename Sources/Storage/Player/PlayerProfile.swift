import Domain
import Postgres
import Statements

/// `player_profile.sql`
struct PlayerProfile: Query {
    static let sql = SQL.playerProfile
    let player: Player.ID
    let game: Slug?
    let withUnlisted: Bool
    var binds: Binds { [player, game, withUnlisted] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PublicProfile {
        try PublicProfile(reading: &row)
    }
}

/// `own_profile.sql`
struct OwnProfileRow: Query {
    static let sql = SQL.ownProfile
    let player: Player.ID
    let now: Instant
    var binds: Binds { [player, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> OwnProfile {
        try OwnProfile(
            shown: PublicProfile(reading: &row), country: row.next(), wantsUpdates: row.next(), isUnlisted: row.next(),
            earned: row.next(), held: row.next(), balance: row.next(), settling: row.next(), donated: row.next(),
            devicesCount: row.next(), shownName: row.next())
    }
}

/// `player_bests.sql`
struct PlayerBests: Query {
    static let sql = SQL.playerBests
    let player: Player.ID
    var binds: Binds { [player] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Best {
        try Best(game: row.next(), board: row.next(), points: row.next(), reachedAt: row.next())
    }
}

/// `player_donation_totals.sql`
struct PlayerDonationTotals: Query {
    static let sql = SQL.playerDonationTotals
    let player: Player.ID
    let withAnonymous: Bool
    var binds: Binds { [player, withAnonymous, Limits.ownDonationsAddedUp] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> DonationTotal {
        try DonationTotal(charity: row.next(), points: row.next(), isAnonymous: row.next())
    }
}

extension PublicProfile {
    fileprivate init(reading row: inout RowReader) throws(DecodingFailure) {
        try self.init(id: row.next(), name: row.next(), avatar: row.next())
    }
}

/// `player_game.sql`
struct PlayerGame: Query {
    static let sql = SQL.playerGame
    let player: Player.ID
    var binds: Binds { [player] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (slug: Slug, name: String) {
        (try row.next(), try row.next())
    }
}

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
