import Domain
import FoundationEssentials
import Postgres

@testable import Storage

// The statements that judged batches within PostgreSQL, before Swift did. They are the oracles of what Swift judges.

struct CallersResolve: Query {
    static let sql = OracleText.callersResolve
    /// The caller of each row of the batch, in its order: first the scores, then the donations.
    let callers: [Caller]
    /// The game of each row that must be open to a device without a token or key; nil elsewhere.
    let games: [Slug?]
    /// The commit marker; nil when no request waits for the replication stream.
    let marker: String?

    init(scores: [NewScore], donations: [NewDonation], marker: String?) {
        callers = scores.map(\.caller) + donations.map(\.caller)
        games =
            scores.map { if case .device = $0.caller { $0.game } else { nil } }
            + donations.map { if case .device = $0.caller { $0.game } else { nil } }
        self.marker = marker
    }

    var binds: Binds {
        [
            callers.map(\.tokenBytes), callers.map(\.keyBytes), callers.map(\.deviceBytes), callers.map(\.player),
            games, marker,
        ]
    }

    /// Whether the marker was written.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Bool {
        let _: String = try row.next()
        let _: String = try row.next()
        let position: String? = try row.next()
        return position != nil
    }
}

struct ScoreBatch: Query {
    static let sql = OracleText.scoreBatch
    let scores: [NewScore]
    let now: Instant
    /// Whether an earlier attempt at this batch may have been committed.
    let isRepeated: Bool
    var binds: Binds {
        [
            scores.map(\.caller.tokenBytes), scores.map(\.caller.keyBytes), scores.map(\.caller.deviceBytes),
            scores.map(\.caller.player),
            scores.map(\.game), scores.map(\.board), scores.map(\.id), scores.map(\.points), scores.map(\.playedAt),
            scores.map(\.detail), scores.map(\.name?.description), scores.map(\.isClassic),
            scores.map(\.hasNoClientID), scores.map(\.reachedAt), now, isRepeated,
        ]
    }
    /// Receipts come in the order of the scores.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> ScoreReceipt {
        let _: Int64 = try row.next()
        return try ScoreReceipt(
            outcome: row.next(),
            player: row.next(),
            id: row.next(),
            board: row.next(),
            ties: row.next(),
            points: row.next(),
            earned: row.next(),
            best: row.next(),
            improved: row.next(),
            balance: row.next()
        )
    }
}

struct DonationBatch: Query {
    static let sql = OracleText.donationBatch
    let donations: [NewDonation]
    let now: Instant
    /// Whether an earlier attempt at this batch may have been committed.
    let isRepeated: Bool
    /// How many rows of the batch come before these.
    let scoresCount: Int
    var binds: Binds {
        [
            donations.map(\.caller.tokenBytes), donations.map(\.caller.keyBytes), donations.map(\.caller.deviceBytes),
            donations.map(\.caller.player),
            donations.map(\.game), donations.map(\.id), donations.map(\.charity.text),
            donations.map(\.charity.folded),
            donations.map(\.points), donations.map(\.isAnonymous), donations.map(\.hasNoClientID),
            donations.map(\.reachedAt), now, isRepeated,
            Int32(truncatingIfNeeded: scoresCount),
        ]
    }
    /// Receipts come in the order of the donations.
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> DonationReceipt {
        let _: Int64 = try row.next()
        return try DonationReceipt(
            outcome: row.next(),
            row: row.next(),
            id: row.next(),
            charity: row.next(),
            points: row.next(),
            board: row.next(),
            ties: row.next(),
            balance: row.next()
        )
    }
}

/// The texts of the oracles.
enum OracleText {}
