package import Domain
package import FoundationEssentials
import Postgres
import Statements

/// `admin_players.sql`
struct AdminPlayers: Query {
    static let sql = SQL.adminPlayers
    let search: PlayerSearch
    let game: Slug?
    let after: Player.ID
    let limitRows: Int32
    var binds: Binds {
        var (name, email): (String?, String?)
        var player: Player.ID?
        var hashes: [Bytes]?
        switch search {
        case .name(let text): name = text.nameForm
        case .id(let id): player = id
        case .external(let devices): hashes = devices.map { Bytes($0.bytes) }
        case .email(let text): email = text
        }
        return [game, name, player, hashes, email, after, limitRows]
    }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> FoundPlayer {
        try FoundPlayer(
            id: row.next(), game: row.next(), name: row.next(), registeredAt: row.next(), isHidden: row.next())
    }
}

extension PlayerRecord: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try PlayerRecord(
            id: row.next(), game: row.next(), name: row.next(), avatar: row.next(), isHidden: row.next(),
            registeredAt: row.next(), mergedInto: row.next(),
            sums: WalletSums(earned: row.next(), voided: row.next(), held: row.next(), donated: row.next()),
            scoresCount: row.next(), donationsCount: row.next(), devicesCount: row.next(), flag: row.next(),
            personal: PlayerRecord.Personal(
                email: row.next(), facebookID: row.next(), country: row.next(), wantsUpdates: row.next(),
                updatesSince: row.next(), updatesSource: row.next()))
    }
}

/// `admin_ledger.sql`
struct AdminLedger: Query {
    static let sql = SQL.adminLedger
    let player: Player.ID
    let before: HistoryKey?
    let limitRows: Int32
    let withAnonymous: Bool
    var binds: Binds { [player, before?.reachedAt, before?.id, limitRows, withAnonymous] }
    static func decode(_ row: inout RowReader) throws(DecodingFailure) -> LedgerRow {
        try LedgerRow(
            kind: row.next(), id: row.next(), game: row.next(), board: row.next(), season: row.next(),
            charity: row.next(), points: row.next(), earned: row.next(), isAnonymous: row.next(), playedAt: row.next(),
            reachedAt: row.next(), state: row.next())
    }
}

/// By what an operator looks for a player.
package enum PlayerSearch: Sendable {
    /// The whole name, whatever its case.
    case name(String)
    case id(Player.ID)
    /// The hashes of a game's own id, one for each game that is looked through.
    case external([DeviceHash])
    /// The e-mail address, whatever its case.
    case email(String)
}

/// A player that was looked for.
package struct FoundPlayer: Sendable {
    package let id: Player.ID
    package let game: String
    package let name: String
    package let registeredAt: Instant
    package let isHidden: Bool
}

/// What operators may know of a player.
package struct PlayerRecord: Sendable {
    package let id: Player.ID
    package let game: String
    package let name: String
    package let avatar: AvatarHash?
    package let isHidden: Bool
    package let registeredAt: Instant
    /// With whom the player is one, whose ledgers and wallet these are; nil for one who was not merged.
    package let mergedInto: Player.ID?
    package fileprivate(set) var sums: WalletSums
    /// At most a hundred thousand are counted.
    package let scoresCount: Int64
    package let donationsCount: Int64
    package let devicesCount: Int64
    /// What the player shows, where its game shows flags.
    package let flag: CountryFlag?
    package let personal: Personal

    /// The same with the sums that those may see who may not know what was donated anonymously.
    func without(anonymousBeside named: DonatedByName) -> PlayerRecord {
        var record = self
        record.sums = sums.without(anonymousBeside: named)
        return record
    }

    /// What is shown to those alone who may know it.
    package struct Personal: Sendable {
        package let email: String?
        package let facebookID: String?
        package let country: String?
        package let wantsUpdates: Bool
        package let updatesSince: Instant?
        package let updatesSource: String?
    }
}

/// A score or a donation of a player.
package struct LedgerRow: Sendable {
    /// `score` or `donation`.
    package let kind: String
    package let id: UUID
    package let game: String?
    package let board: String?
    package let season: Int32?
    package let charity: String?
    package let points: Int64
    package let earned: Int64?
    package let isAnonymous: Bool?
    package let playedAt: Instant?
    package let reachedAt: Instant
    /// A score is `counted`, `held` or `voided`; a donation is `funded`, `part`, `unfunded` or `reversed`.
    package let state: String
}
