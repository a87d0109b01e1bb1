package import Domain
package import FoundationEssentials
import Postgres
import Statements

// What waits for an operator's decision, and how it is decided.

/// `queue_page.sql`
struct QueuePage: Query {
    static let sql = SQL.queuePage
    let kind: QueueItem.Kind?
    let after: QueueItem.Key
    let limitRows: Int32
    let withWords: Bool
    var binds: Binds { [kind, after.at, after.item, limitRows, withWords] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> QueueItem {
        try QueueItem(
            item: row.next(), kind: row.next(), player: row.next(), team: row.next(), score: row.next(),
            why: row.next(), at: row.next(), times: row.next(), sources: row.next(), words: row.next())
    }
}

/// Something that waits for an operator's decision.
package struct QueueItem: Sendable {
    package enum Kind: String, Sendable, CaseIterable, PostgresValue {
        /// A score that is held.
        case held
        /// What players reported of a player.
        case report
        /// A name that nobody sees yet.
        case name
        /// The name of a team that nobody sees yet.
        case teamName = "team-name"
        /// Players have reported the name of a team.
        case teamReport = "team-report"
    }

    /// What the queue is ordered by.
    package struct Key: Sendable {
        package let at: Instant
        package let item: UUID

        package init(at: Instant, item: UUID) { (self.at, self.item) = (at, item) }

        /// The key before the first item.
        package static let beginning = Key(
            at: Instant(microsecondsSince1970: 0), item: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    }

    package let item: UUID
    package let kind: Kind
    /// Nil of what is about a team.
    package let player: Player.ID?
    package let team: Team.ID?
    package let score: UUID?
    /// The rule that held a score, what is reported, or the name.
    package let why: String
    /// Since when it waits.
    package let at: Instant
    /// How many players have reported it; else 1.
    package let times: Int64
    /// From how many networks it was reported; else 1.
    package let sources: Int64
    /// What the reporters wrote; nil for who may not read it.
    package let words: [String]?

    package var key: Key { Key(at: at, item: item) }
}

extension Administration {
    /// Where an item stands in the queue; nil when it waits no more.
    package func findQueueKey(of item: UUID) async throws(StoreError) -> QueueItem.Key? {
        let found = try await store.general { connection throws(PostgresError) in
            try await connection.firstRow(QueueItemFind(item: item))
        }
        return found.map { QueueItem.Key(at: $0.at, item: item) }
    }

    /// What waits under an item; nil when it waits no more.
    package func findQueueItem(_ item: UUID) async throws(StoreError) -> (
        kind: QueueItem.Kind, player: Player.ID?, score: UUID?
    )? {
        let found = try await store.general { connection throws(PostgresError) in
            try await connection.firstRow(QueueItemFind(item: item))
        }
        return found.map { ($0.kind, $0.player, $0.score) }
    }

    /// The points of a player's score; nil when there is none.
    package func findPoints(ofScore score: UUID, of player: Player.ID) async throws(StoreError) -> Int64? {
        try await store.general { connection throws(PostgresError) in
            try await connection.firstRow(ScoreFound(player: player, score: score))?.points
        }
    }

    /// What waits for a decision, the oldest first.
    /// - Parameters:
    ///   - kind: Nil for all kinds.
    ///   - after: The item before the first.
    ///   - withWords: Whether what reporters wrote is shown.
    package func queue(_ kind: QueueItem.Kind?, after: QueueItem.Key = .beginning, limitRows: Int32, withWords: Bool)
        async throws(StoreError) -> [QueueItem]
    {
        try await store.general { connection throws(PostgresError) in
            try await connection.rows(QueuePage(kind: kind, after: after, limitRows: limitRows, withWords: withWords))
        }
    }
}
