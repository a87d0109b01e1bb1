import Postgres
import Statements

/// How far a primary has come.
struct PrimaryPosition: Sendable, Equatable {
    /// The system identifier of its cluster.
    let system: Int64
    let timeline: Int64
    /// In PostgreSQL's own notation.
    let position: String
}

/// `primary_position.sql`
struct PrimaryPositionRead: Query {
    static let sql = SQL.primaryPosition
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PrimaryPosition {
        PrimaryPosition(system: try row.next(), timeline: try row.next(), position: try row.next())
    }
}

/// `replica_reached.sql`
struct ReplicaReached: Query {
    static let sql = SQL.replicaReached
    let position: PrimaryPosition
    var binds: Binds { [position.system, position.timeline, position.position] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}
