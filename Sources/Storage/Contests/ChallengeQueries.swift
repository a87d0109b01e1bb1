package import Domain
package import FoundationEssentials
import Postgres

extension ChallengeOutcome: PostgresValue {}
extension ChallengeState: PostgresValue {}
extension ChallengeAnswer: PostgresValue {}

extension Challenge: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (id, game, board): (UUID, Slug, Slug) = (try row.next(), try row.next(), try row.next())
        let (season, ties): (Int32, Board.Ties) = (try row.next(), try row.next())
        let maker: Player.ID? = try row.next()
        let (firstDay, lastDay): (Day, Day) = (try row.next(), try row.next())
        let (from, until): (Instant, Instant) = (try row.next(), try row.next())
        guard firstDay <= lastDay else { throw DecodingFailure(.outOfRange, Challenge.self, from: CalendarDay.oid) }
        self = try Challenge(
            id: id, game: game, board: board, season: season, ties: ties, maker: maker, days: firstDay...lastDay,
            // A season may end before the first day does, and a clock that is behind may have made the challenge.
            span: min(from, until)..<until, state: row.next(), stake: row.next(), madeAt: row.next(),
            settledAt: row.next(), answer: row.next())
    }
}

extension RowReader {
    /// The points of a row of a contest, when they were reached, and their order key; nil without a row.
    fileprivate mutating func result(of player: Player.ID) throws(DecodingFailure) -> ContestResult? {
        let points: Int128? = try next()
        let reachedAt: Instant? = try next()
        let orderKey: Int128? = try next()
        guard let points, let reachedAt, let orderKey else { return nil }
        return ContestResult(
            points: points, sortKey: SortKey(orderKey: orderKey, reachedAt: reachedAt, row: player.rawValue))
    }
}

extension Entrant: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let player = try PublicProfile(row: &row)
        self = try Entrant(
            player: player, isHidden: row.next(), answer: row.next(), charity: row.next(), hasWon: row.next(),
            gave: row.next(), result: row.result(of: player.id))
    }
}

extension Contestant: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let player: Player.ID = try row.next()
        let entrant: Player.ID = try row.next()
        let (id, slug): (Int32?, Slug?) = (try row.next(), try row.next())
        let charity = id.flatMap { id in slug.map { StakeCharity(id: id, slug: $0) } }
        self = try Contestant(
            player: player, entrant: entrant, charity: charity, ready: row.next(), result: row.result(of: player))
    }
}

extension ChallengeNotice: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try ChallengeNotice(id: row.next(), state: row.next(), answer: row.next())
    }
}

extension WaitingStake: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try WaitingStake(
            challenge: row.next(), player: row.next(), charity: StakeCharity(id: row.next(), slug: row.next()),
            points: row.next(), donation: row.next())
    }
}

extension ExportedChallenge: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let key = ExportedChallenge.Key(player: try row.next(), challenge: try row.next())
        self = try ExportedChallenge(
            key: key, game: row.next(), board: row.next(), season: row.next(), isOwn: row.next(), firstDay: row.next(),
            lastDay: row.next(), stake: row.next(), madeAt: row.next(), answer: row.next(), answeredAt: row.next(),
            charity: row.next(), hasWon: row.next(), gave: row.next())
    }
}

/// What became of a challenge that a player makes, or of its answer to one.
package enum ChallengeOutcome: String, Sendable {
    case made, entered
    /// The player has declined or left.
    case left
    /// It was so before.
    case known
    /// Another challenge has the id.
    case taken
    /// The game has no challenges.
    case off
    case noBoard = "no-board"
    case boardClosed = "board-closed"
    /// The stake is more than the game allows.
    case stake
    /// There is no stake, so no charity goes with it.
    case noStake = "no-stake"
    case charityMissing = "charity-missing"
    case noCharity = "no-charity"
    case charityClosed = "charity-closed"
    /// One of the players may not be invited.
    case notFriends = "not-friends"
    /// The player has as many challenges as it may have.
    case full
    /// The player is not invited.
    case noChallenge = "no-challenge"
    case over
    /// The token is no device's any more.
    case unauthorized
    /// The player was merged while locks were waited for, so it is another one now.
    case changed
}

/// A stake that is to be donated.
package struct WaitingStake: Sendable {
    package let challenge: UUID
    /// Whose answer it is: who gives it, or one that was merged into it.
    package let player: Player.ID
    package let charity: StakeCharity
    /// 1 or more.
    package let points: Int64
    /// The id of the donation.
    package let donation: UUID
}

/// A challenge and what a player has answered to it.
package struct ExportedChallenge: Sendable {
    package struct Key: Sendable {
        /// The player itself, or one that was merged into it.
        package let player: Player.ID
        package let challenge: UUID
    }

    package let key: Key
    package let game: Slug
    package let board: Slug
    package let season: Int32
    /// Whether the player has made it.
    package let isOwn: Bool
    package let firstDay: Day
    package let lastDay: Day
    package let stake: Int64
    package let madeAt: Instant
    package let answer: ChallengeAnswer
    package let answeredAt: Instant
    package let charity: Slug?
    package let hasWon: Bool
    package let gave: Int64?
}
