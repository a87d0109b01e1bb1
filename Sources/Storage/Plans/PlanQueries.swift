package import Domain
package import FoundationEssentials
import Postgres
import Statements

extension PlanInterval: PostgresValue {}
extension PlanSkip: PostgresValue {}

/// `plan_put.sql`
struct PlanPut: Query {
    static let sql = SQL.planPut
    let token: TokenHash
    let terms: PlanTerms
    /// Nil for a player without a plan.
    let expected: String?
    let now: Instant
    var binds: Binds {
        [
            Bytes(token.bytes), terms.shares.map(\.charity), terms.shares.map(\.share), terms.interval, terms.keep,
            terms.isAnonymous, expected, now, now.dayInUTC,
        ]
    }

    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PlanOutcome {
        let outcome: String = try row.next()
        let etag: String? = try row.next()
        let (since, nextOn): (Instant?, Day?) = (try row.next(), try row.next())
        let isNew: Bool = try row.next()
        let charity: String? = try row.next()
        switch (outcome, etag, since, nextOn, charity) {
        case ("stored", let etag?, let since?, let nextOn?, _):
            return .stored(PlanVersion(etag: etag, since: since, nextOn: nextOn), isNew: isNew)
        case ("known", let etag?, let since?, let nextOn?, _):
            return .known(PlanVersion(etag: etag, since: since, nextOn: nextOn))
        case ("stale", _, _, _, _): return .stale(etag)
        case ("no-charity", _, _, _, let charity?): return .noCharity(charity)
        case ("closed", _, _, _, let charity?): return .charityClosed(charity)
        case ("off", _, _, _, _): return .off
        case ("banned", _, _, _, _): return .banned
        default: throw DecodingFailure(.outOfRange, PlanOutcome.self, from: String.oid)
        }
    }
}

/// `plan_end.sql`
struct PlanEnd: Query {
    static let sql = SQL.planEnd
    let token: TokenHash
    let expected: String
    let now: Instant
    var binds: Binds { [Bytes(token.bytes), expected, now] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> PlanEnding {
        let outcome: String = try row.next()
        let etag: String? = try row.next()
        switch outcome {
        case "ended": return .ended
        case "no-plan": return .noPlan
        case "stale": return .stale(etag)
        default: throw DecodingFailure(.outOfRange, PlanEnding.self, from: String.oid)
        }
    }
}

extension PlanTerms: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (slugs, shares): ([Slug], [Int32]) = (try row.next(), try row.next())
        try self.init(
            shares: zip(slugs, shares).map { PlanShare(charity: $0, share: $1) }, interval: row.next(),
            keep: row.next(), isAnonymous: row.next())
    }
}

extension Plan: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        try self.init(terms: PlanTerms(row: &row), etag: row.next(), since: row.next(), nextOn: row.next())
    }
}

extension FinishedRun: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let day: Day = try row.next()
        let (slugs, points): ([Slug], [Int64]) = (try row.next(), try row.next())
        let (ids, skipped): ([UUID], [PlanSkip?]) = (try row.next(), try row.next())
        let count = min(slugs.count, points.count, ids.count, skipped.count)
        self.init(
            day: day,
            lines: (0..<count).map { index in
                Line(charity: slugs[index], points: points[index], id: ids[index], skip: skipped[index])
            })
    }
}

/// A version of a plan that is stored.
package struct PlanVersion: Sendable, Equatable {
    package let etag: String
    package let since: Instant
    package let nextOn: Day
}

/// What became of a plan that was to be stored.
package enum PlanOutcome: Sendable, Equatable {
    case stored(PlanVersion, isNew: Bool)
    /// The player has this plan already, whatever the caller has seen.
    case known(PlanVersion)
    /// - Parameter current: The ETag of the plan that the player has; nil when it has none.
    case stale(String?)
    /// There is no charity with this slug.
    case noCharity(String)
    /// The charity with this slug takes no donations any more.
    case charityClosed(String)
    /// The game has no plans.
    case off
    case banned
}

/// What became of a plan that was to be ended.
package enum PlanEnding: Sendable, Equatable {
    case ended
    case noPlan
    case stale(String?)
}

/// What a plan gave after a day.
package struct FinishedRun: Sendable, Equatable {
    package struct Line: Sendable, Equatable {
        package let charity: Slug
        package let points: Int64
        /// The id of the donation, if there are points.
        package let id: UUID
        package let skip: PlanSkip?
    }

    /// In UTC.
    package let day: Day
    /// In the order of the charities' slugs.
    package let lines: [Line]

    /// For operators, such as `books 4, tree-fund 6`.
    package var donatedText: String {
        lines.filter { $0.points > 0 }.map { "\($0.charity) \($0.points)" }.joined(separator: ", ")
    }

    /// The same, such as `wells: cap-reached`.
    package var skippedText: String {
        lines.compactMap { line in line.skip.map { "\(line.charity): \($0.rawValue)" } }.joined(separator: ", ")
    }
}
