import Domain
import Postgres
import Statements

// What was donated by name, for those who may not know what was donated anonymously.

/// `donated_by_name_of.sql`
struct DonatedByNameOf: Query {
    static let sql = SQL.donatedByNameOf
    /// They are one.
    let players: [Player.ID]
    /// The last entry of the log that counts, and the time of the action that it is about; nil for now.
    let moment: (entry: Int64, at: Instant)?
    var binds: Binds { [players, moment?.entry, moment?.at] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> DonatedByName {
        try DonatedByName(donated: row.next(), forfeited: row.next())
    }
}

extension Connection {
    /// What a player, who was not merged, and those who are one with it have donated by name.
    func donatedByName(of survivor: Player.ID) async throws(PostgresError) -> DonatedByName {
        let players = try await rows(MembersFind(survivor: survivor))
        return try await row(DonatedByNameOf(players: players, moment: nil))
    }

    /// What was donated by name before and after an action.
    /// - Parameter walletOwner: Whose wallet the action's sums are of; nil of actions on boards.
    func donatedByName(around entry: Int64, at instant: Instant, of walletOwner: Player.ID?) async throws(PostgresError)
        -> (before: DonatedByName, after: DonatedByName)
    {
        guard let walletOwner else { return (.zero, .zero) }
        let (before, after) = try await pipeline(
            MembersThen(player: walletOwner, entry: entry - 1), MembersThen(player: walletOwner, entry: entry))
        return (
            before: try await row(DonatedByNameOf(players: before, moment: (entry: entry - 1, at: instant))),
            after: try await row(DonatedByNameOf(players: after, moment: (entry: entry, at: instant)))
        )
    }
}
