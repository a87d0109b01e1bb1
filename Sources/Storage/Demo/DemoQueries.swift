import Domain
import Postgres
import Statements

/// `demo_avatars.sql`
struct DemoAvatars: Query {
    typealias Row = Void
    static let sql = SQL.demoAvatars
    let hashes: [AvatarHash]
    let pictures: [[UInt8]]
    let now: Instant
    var binds: Binds { [hashes.map { Bytes($0.bytes) }, pictures.map { Bytes($0) }, now] }
}

/// `demo_scores.sql`
struct DemoScores: Query {
    typealias Row = Void
    static let sql = SQL.demoScores
    let rows: DemoRows.Scores
    var binds: Binds {
        [rows.players, rows.ids, rows.boards, rows.points, rows.earned, rows.areImprovements, rows.reachedAt]
    }
}

/// `demo_donations.sql`
struct DemoDonations: Query {
    typealias Row = Void
    static let sql = SQL.demoDonations
    let rows: DemoRows.Donations
    var binds: Binds { [rows.players, rows.ids, rows.charities, rows.points, rows.areAnonymous, rows.reachedAt] }
}
