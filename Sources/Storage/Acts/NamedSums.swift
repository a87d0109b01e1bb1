import Domain
import Postgres
import Statements

// What was given by name, for those who may not know what was given anonymously.

/// `given_by_name.sql`
struct GivenByNameOf: Query {
    static let sql = SQL.givenByName
    /// They are one.
    let players: [Player.ID]
    /// The last entry of the log that counts, and the time of the act that it is about; nil for now.
    let moment: (entry: Int64, at: Instant)?
    var binds: Binds { [players, moment?.entry, moment?.at] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> GivenByName {
        try GivenByName(given: row.next(), forfeited: row.next())
    }
}

/// `members_then.sql`
struct MembersThen: Query {
    static let sql = SQL.membersThen
    let player: Player.ID
    /// The last entry of the log that counts.
    let entry: Int64
    var binds: Binds { [player, entry] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> Player.ID { try row.next() }
}

extension Connection {
    /// What a player, who was not merged, and those who are one with it have given by name.
    func givenByName(of survivor: Player.ID) async throws(PostgresError) -> GivenByName {
        let players = try await rows(MembersFind(survivor: survivor))
        return try await row(GivenByNameOf(players: players, moment: nil))
    }

    /// What was given by name before and after an act.
    /// - Parameter walletOwner: Whose wallet the act's sums are of; nil of acts on boards.
    func givenByName(
        around entry: Int64,
        at instant: Instant,
        of walletOwner: Player.ID?
    ) async throws(PostgresError) -> (before: GivenByName, after: GivenByName) {
        guard let walletOwner else { return (.zero, .zero) }
        let (before, after) = try await pipeline(
            MembersThen(player: walletOwner, entry: entry - 1),
            MembersThen(player: walletOwner, entry: entry)
        )
        return (
            before: try await row(GivenByNameOf(players: before, moment: (entry: entry - 1, at: instant))),
            after: try await row(GivenByNameOf(players: after, moment: (entry: entry, at: instant)))
        )
    }
}
