import Domain
import Postgres
import Statements

/// `boards_followed.sql`
struct BoardsFollowed: Query {
    static let sql = SQL.boardsFollowed
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> FollowedBoard {
        try FollowedBoard(id: row.next(), policy: row.next(), lowestFirst: row.next(), isDonationBoard: row.next())
    }
}

/// `players_hidden.sql`
struct PlayersHidden: Query {
    static let sql = SQL.playersHidden
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Player.ID { try row.next() }
}

/// `players_erased.sql`
struct PlayersErased: Query {
    static let sql = SQL.playersErased
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Player.ID { try row.next() }
}

/// `players_merged.sql`
struct PlayersMerged: Query {
    static let sql = SQL.playersMerged
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (player: Player.ID, survivor: Player.ID) {
        (player: try row.next(), survivor: try row.next())
    }
}

/// `snapshot_parameters.sql`
struct SnapshotParameters: Query {
    static let sql = SQL.snapshotParameters
    let board: Board.ID
    /// The days of the window; nil when a whole season is copied.
    let days: ClosedRange<Day>?
    var binds: Binds {
        let days = days ?? Day(daysSince1970: 0)...Day(daysSince1970: 0)
        return [board, days.lowerBound, days.upperBound]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) {
        for _ in 0..<5 { let _: String = try row.next() }
    }
}

/// `marker_emit.sql`
struct MarkerEmit: Query {
    static let sql = SQL.markerEmit
    let marker: String
    var binds: Binds { [marker] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> String { try row.next() }
}

/// `callers_published.sql`
struct CallersPublished: Query {
    static let sql = SQL.callersPublished
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}

extension Store {
    /// Whether the stream says when a device, a key or a game has changed.
    package func publishesCallers() async throws(StoreError) -> Bool {
        try await general { connection throws(PostgresError) in try await connection.row(CallersPublished()) }
    }
}
