import Domain
import FoundationEssentials
import Postgres
import Statements

extension RecordedScore: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let player: Player.ID = try row.next()
        let id: UUID = try row.next()
        let game: String = try row.next()
        let board: String = try row.next()
        let boardID: Board.ID = try row.next()
        let ties: Board.Ties = try row.next()
        let season: Int32 = try row.next()
        let points: Int64 = try row.next()
        let earned: Int64 = try row.next()
        let (playedAt, detail): (Instant?, String?) = (try row.next(), try row.next())
        let reachedAt: Instant = try row.next()
        let (best, improved): (Int64?, Bool) = (try row.next(), try row.next())
        let (balance, state): (Int64, LedgerState) = (try row.next(), try row.next())
        let score = PastScore(
            id: id, game: game, board: board, season: season, points: points, earned: earned, playedAt: playedAt,
            detail: detail, reachedAt: reachedAt, state: state)
        let receipt = ScoreReceipt(
            outcome: .retry, player: player, id: id, board: boardID, ties: ties, points: points, earned: earned,
            best: best, improved: improved, balance: balance, state: state, own: try row.ownKey())
        self = RecordedScore(score: score, receipt: receipt)
    }
}

extension RecordedDonation: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let id: UUID = try row.next()
        let charity: String = try row.next()
        let board: Board.ID = try row.next()
        let ties: Board.Ties = try row.next()
        let rowID: Int64 = try row.next()
        let points: Int64 = try row.next()
        let (isAnonymous, reachedAt): (Bool, Instant) = (try row.next(), try row.next())
        let (balance, unfunded): (Int64, Int64) = (try row.next(), try row.next())
        let isReversed: Bool = try row.next()
        let donation = PastDonation(
            id: id, charity: charity, points: points, isAnonymous: isAnonymous, reachedAt: reachedAt,
            unfunded: unfunded, isReversed: isReversed)
        let receipt = DonationReceipt(
            outcome: .retry, row: rowID, id: id, charity: charity, points: points, board: board, ties: ties,
            balance: balance, isReversed: isReversed)
        self = RecordedDonation(donation: donation, receipt: receipt)
    }
}
