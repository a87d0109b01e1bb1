package import Domain
package import FoundationEssentials
import Postgres

/// A plan that is to run, as it is under the lock of its player.
struct DuePlan: RowDecodable {
    let player: Player.ID
    let version: Int32
    let charities: [Int32]
    let shares: [Int32]
    let keep: Int64
    /// Why nothing may be donated for the player.
    let skip: PlanSkip?
    /// Points that may be donated now; below 0 when points were voided after they were donated.
    let ready: Int64
    /// What the plan owes each charity; nil before its first run.
    let owed: [Int64]?
    let day: Day
    let nextDay: Day

    init(row: inout RowReader) throws(DecodingFailure) {
        (player, version, charities) = (try row.next(), try row.next(), try row.next())
        (shares, keep, skip) = (try row.next(), try row.next(), try row.next())
        (ready, owed, nextDay, day) = (try row.next(), try row.next(), try row.next(), try row.next())
    }
}

/// A charity as a plan finds it.
struct PlanCharity: RowDecodable {
    let id: Int32
    let slug: Slug
    let isOpen: Bool
    /// Points that it may still receive; nil without a cap.
    let room: Int64?

    init(row: inout RowReader) throws(DecodingFailure) {
        (id, slug, isOpen, room) = (try row.next(), try row.next(), try row.next(), try row.next())
    }
}

/// A run whose donations are to be made.
package struct OpenRun: Sendable, RowDecodable {
    package struct Line: Sendable {
        package let charity: Slug
        /// 1 or more.
        package let points: Int64
        package let id: UUID
        /// Its place among the lines of the plan.
        let place: Int
    }

    package let player: Player.ID
    package let isAnonymous: Bool
    /// Whether the player was merged into another one after it was decided. Then nothing more is donated.
    package let isMerged: Bool
    /// Those that get something.
    package let lines: [Line]
    let version: Int32
    let day: Day

    init(row: inout RowReader) throws(DecodingFailure) {
        (player, version, day) = (try row.next(), try row.next(), try row.next())
        let (slugs, points, ids): ([Slug], [Int64], [UUID]) = (try row.next(), try row.next(), try row.next())
        (isAnonymous, isMerged) = (try row.next(), try row.next())
        lines = (0..<min(slugs.count, points.count, ids.count)).compactMap { place in
            guard points[place] > 0 else { return nil }
            return Line(charity: slugs[place], points: points[place], id: ids[place], place: place)
        }
    }
}

/// A run with what the ledger has of it.
struct GivenRun: RowDecodable {
    let shares: [Int32]
    let points: [Int64]
    let skipped: [PlanSkip?]
    let owed: [Int64]
    let given: [Int64?]

    init(row: inout RowReader) throws(DecodingFailure) {
        (shares, points, skipped) = (try row.next(), try row.next(), try row.next())
        (owed, given) = (try row.next(), try row.next())
    }
}

/// A version of a plan as the player's export has it.
package struct ExportedPlan: Sendable, RowDecodable {
    package struct Key: Sendable {
        let player: Player.ID
        package let version: Int32
    }

    package let key: Key
    package let terms: PlanTerms
    package let since: Instant
    /// Nil for the one that holds.
    package let until: Instant?
    package let nextOn: Day

    init(row: inout RowReader) throws(DecodingFailure) {
        key = Key(player: try row.next(), version: try row.next())
        terms = try PlanTerms(row: &row)
        (since, until, nextOn) = (try row.next(), try row.next(), try row.next())
    }
}

/// What a plan gave after a day, as the player's export has it.
package struct ExportedRun: Sendable, RowDecodable {
    package struct Key: Sendable {
        let player: Player.ID
        package let version: Int32
        let day: Day
    }

    package let key: Key
    package let run: FinishedRun
    /// What the plan owes each charity, in points times the sum of its shares.
    package let owed: [Int64]
    package let decidedAt: Instant
    /// Nil while its donations are being made.
    package let doneAt: Instant?

    init(row: inout RowReader) throws(DecodingFailure) {
        let (player, version): (Player.ID, Int32) = (try row.next(), try row.next())
        run = try FinishedRun(row: &row)
        key = Key(player: player, version: version, day: run.day)
        (owed, decidedAt, doneAt) = (try row.next(), try row.next(), try row.next())
    }
}
