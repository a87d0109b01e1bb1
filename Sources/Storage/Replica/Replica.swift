import Domain
package import Postgres
import Statements
import Synchronization

/// A standby that answers long reads, so that the primary has time for posts.
///
/// It is asked only once it has replayed everything that the primary had acknowledged when the read began; so a read
/// says nothing older than the primary would. When it is behind, away or of another history, the primary answers.
package final class Replica: Sendable {
    /// How reads went that it might have answered.
    package struct Counts: Sendable, Equatable {
        package var answered = 0
        /// It had not replayed enough in time, or is no standby of that primary.
        package var behind = 0
        package var failed = 0
    }

    private enum Outcome<Value> {
        case answered(Value)
        case behind
    }

    private let pool: Pool
    private let state = Mutex(Counts())

    package init(_ pool: Pool) { self.pool = pool }

    package var counts: Counts { state.withLock { $0 } }

    /// - Parameter primary: Connections to the primary, of which one is lent for a short statement.
    /// - Returns: Nil when the primary is to answer.
    func answer<Value: Sendable>(insteadOf primary: Pool, _ body: (Connection) async throws(PostgresError) -> Value)
        async -> Value?
    {
        do throws(PostgresError) {
            let position = try await primary.withConnection { connection throws(PostgresError) in
                try await connection.row(PrimaryPositionRead())
            }
            let outcome = try await pool.withConnection { connection throws(PostgresError) -> Outcome<Value> in
                guard try await Self.reaches(position, connection) else { return .behind }
                return .answered(try await body(connection))
            }
            switch outcome {
            case .answered(let value):
                state.withLock { $0.answered += 1 }
                return value
            case .behind:
                state.withLock { $0.behind += 1 }
                return nil
            }
        } catch {
            state.withLock { $0.failed += 1 }
            return nil
        }
    }

    /// Waits for a moment until the standby has replayed a position.
    private static func reaches(_ position: PrimaryPosition, _ connection: Connection) async throws(PostgresError)
        -> Bool
    {
        for pause in Limits.replicaPauses {
            if try await connection.row(ReplicaReached(position: position)) { return true }
            try? await Task.sleep(for: pause)
        }
        return try await connection.row(ReplicaReached(position: position))
    }
}

/// How far a primary has come.
struct PrimaryPosition: Sendable, Equatable {
    /// The system identifier of its cluster.
    let system: Int64
    let timeline: Int64
    /// In PostgreSQL's own notation.
    let position: String
}

extension PrimaryPosition: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = PrimaryPosition(system: try row.next(), timeline: try row.next(), position: try row.next())
    }
}

/// `replica_reached.sql`
struct ReplicaReached: Query {
    static let sql = SQL.replicaReached
    let position: PrimaryPosition
    var binds: Binds { [position.system, position.timeline, position.position] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool { try row.next() }
}
