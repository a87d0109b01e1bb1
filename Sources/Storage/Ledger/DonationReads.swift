import Domain
import FoundationEssentials
import Postgres
import Statements

// What is read before the donations of a batch are judged.

/// `donations_before.sql`
struct DonationsBefore: Query {
    static let sql = SQL.donationsBefore
    let players: [Player.ID]
    let donations: [NewDonation]
    var binds: Binds {
        [
            players, donations.map { $0.charity.text }, donations.map { $0.charity.folded }, donations.map { $0.id },
            donations.map { $0.reachedAt },
        ]
    }
    /// Rows come in the order of the donations.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> (
        charity: CharityContext?, known: KnownCharity?, isKnown: Bool
    ) {
        let (id, slug): (Int32?, String?) = (try row.next(), try row.next())
        let hours = try OpeningHours(opensAt: row.next(), closesAt: row.next())
        let (board, ties): (Board.ID?, Board.Ties?) = (try row.next(), try row.next())
        let (day, dayBeganAt): (Day?, Instant?) = (try row.next(), try row.next())
        let anonymousRow: Int64 = try row.next()
        let caps = try CharityCaps(day: row.next(), all: row.next())
        let (overall, overallVersion): (Board.ID?, Int64?) = (try row.next(), try row.next())
        let dayEndsAt: Instant? = try row.next()
        let (charityVersion, boardVersion): (Int64?, Int64?) = (try row.next(), try row.next())
        let hasDonated: Bool = try row.next()
        var (charity, known): (CharityContext?, KnownCharity?)
        if let id, let slug, let board, let ties, let day, let dayBeganAt {
            charity = CharityContext(
                id: id, slug: slug, hours: hours, board: board, ties: ties, day: day, dayBeganAt: dayBeganAt,
                anonymousRow: anonymousRow, caps: caps, overall: overall, hasDonated: hasDonated)
            if let charity, let dayEndsAt, let charityVersion, let boardVersion {
                var boards = [board: boardVersion]
                if let overall, let overallVersion { boards[overall] = overallVersion }
                known = KnownCharity(
                    charity: charity, span: dayBeganAt..<max(dayBeganAt, dayEndsAt), version: charityVersion,
                    boards: boards)
            }
        }
        return (charity: charity, known: known, isKnown: try row.next())
    }
}

/// `donations_recall.sql`
struct DonationsRecall: Query {
    static let sql = SQL.donationsRecall
    let turns: [LedgerBatch.Turn]
    let donations: [NewDonation]
    let charities: [Int32?]
    var binds: Binds {
        [
            turns.map { $0.player }, donations.map { $0.hasNoClientID ? nil : $0.id }, charities,
            donations.map { $0.points }, donations.map { $0.isAnonymous }, donations.map { $0.reachedAt },
            turns.map { $0.own },
        ]
    }
    /// Rows come in the order of the donations; one that repeats nothing is nil.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> RecalledDonation? {
        let (id, charity): (UUID?, Int32?) = (try row.next(), try row.next())
        let (points, isAnonymous): (Int64?, Bool?) = (try row.next(), try row.next())
        let anonymousRow: Int64? = try row.next()
        let (reachedAt, isReversed): (Instant?, Bool) = (try row.next(), try row.next())
        guard let id, let charity, let points, let isAnonymous, let reachedAt else { return nil }
        return RecalledDonation(
            id: id, charity: charity, points: points, isAnonymous: isAnonymous, anonymousRow: anonymousRow,
            reachedAt: reachedAt, isReversed: isReversed)
    }
}
