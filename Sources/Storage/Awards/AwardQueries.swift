package import Domain
import Postgres

extension Award.ID: PostgresValue {}
extension AwardRule.Kind: PostgresValue {}
extension AwardOutcome: PostgresValue {}

/// An award of a game, as the admin API shows it.
package struct AwardListing: Sendable, Equatable {
    package let id: Award.ID
    package let slug: Slug
    package let award: Award
    /// How often it was given.
    package let givenCount: Int64
    /// It changes whenever a setting does.
    package let version: String
}

extension AwardListing: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (id, slug): (Award.ID, Slug) = (try row.next(), try row.next())
        self = try AwardListing(
            id: id, slug: slug, award: Award(row: &row), givenCount: row.next(), version: row.next())
    }
}

extension Award: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (name, text): (String, String?) = (try row.next(), try row.next())
        var fields = AwardRule.Fields(kind: try row.next())
        (fields.atLeast, fields.board, fields.season) = try (row.next(), row.next(), row.next())
        fields.contest = try row.next()
        if try row.next() { fields.window = .day }
        // The table's constraints guarantee this.
        guard let rule = try? AwardRule(fields) else {
            throw DecodingFailure(.outOfRange, AwardRule.self, from: String.oid)
        }
        self = try Award(
            name: DisplayName(stored: name), text: text.map(AwardText.init(stored:)), rule: rule, isSecret: row.next())
    }
}

extension GivenAward: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (award, name, givenAt): (Slug, String, Instant) = try (row.next(), row.next(), row.next())
        let (occasion, campaign): (String, String?) = (try row.next(), try row.next())
        self = GivenAward(
            award: award, name: name, givenAt: givenAt, occasion: occasion.isEmpty ? nil : occasion, campaign: campaign)
    }
}

/// A row of `awards_own.sql`.
struct OwnAwardRow: RowDecodable, Sendable {
    let slug: Slug
    let award: Award
    let givenAt: Instant?
    let occasion: String?
    let timesCount: Int64

    init(row: inout RowReader) throws(DecodingFailure) {
        let _: Award.ID = try row.next()
        slug = try row.next()
        award = try Award(row: &row)
        let occasion: String?
        (givenAt, occasion, timesCount) = try (row.next(), row.next(), row.next())
        self.occasion = occasion.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// An award that a player has, or one who is one with it.
package struct ExportedAward: Sendable {
    package struct Key: Sendable {
        package let player: Player.ID
        package let award: Award.ID
        package let occasion: String
    }

    package let key: Key
    package let award: GivenAward
}

extension ExportedAward: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        key = try Key(player: row.next(), award: row.next(), occasion: row.next())
        let (slug, name, givenAt): (Slug, String, Instant) = try (row.next(), row.next(), row.next())
        award = GivenAward(
            award: slug, name: name, givenAt: givenAt, occasion: key.occasion.isEmpty ? nil : key.occasion)
    }
}

/// What change of a board may bring an award.
package struct AwardCondition: Sendable {
    package let award: Award.ID
    package let board: Board.ID
    package let rule: AwardRule.Kind
    package let atLeast: Int64
    package let isOfDay: Bool
}

/// An award for the rank in a campaign, over which rows it is, and when the campaign ends.
package struct AwardContest: Sendable {
    package let award: Award.ID
    package let board: Board.ID
    package let firstDay: Day
    package let lastDay: Day
    package let endsAt: Instant
}

/// The outcome of granting an award, or of withdrawing it.
package enum AwardOutcome: String, Sendable {
    case granted
    case withdrawn
    /// It was so before.
    case known
    /// The award follows from what players do.
    case otherRule = "other-rule"
    case noAward = "no-award"
    case noPlayer = "no-player"
}

/// How many awards a transaction gave, withdrew, or gave another moment.
package struct AwardChanges: Sendable, Equatable {
    package var given: Int64 = 0
    package var withdrawn: Int64 = 0
    package var moved: Int64 = 0

    package init() {}

    package var count: Int64 { given + withdrawn + moved }

    static func += (sum: inout AwardChanges, other: (given: Int64, withdrawn: Int64, moved: Int64)) {
        sum.given += other.given
        sum.withdrawn += other.withdrawn
        sum.moved += other.moved
    }
}

/// A change of an award's settings.
package struct AwardChange: Sendable {
    /// Nil to keep the current one.
    package var name: DisplayName?
    package var text: Patch<AwardText> = .keep
    package var rule: AwardRule?
    package var isSecret: Bool?

    package init() {}

    package func applied(to award: Award) -> Award {
        let text = text.isGiven ? text.value : award.text
        return Award(
            name: name ?? award.name, text: text, rule: rule ?? award.rule, isSecret: isSecret ?? award.isSecret)
    }
}
