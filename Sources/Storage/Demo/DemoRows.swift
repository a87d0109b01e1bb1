package import Domain
package import FoundationEssentials
import Postgres

/// New players with all their scores and donations, which one transaction stores.
package struct DemoRows: Sendable {
    /// The most rows of `player`, `tally` and `standing` in one transaction. A server that follows the replication
    /// stream sees a transaction only at its end.
    package static let publishedRowsMax = 10_000
    /// When something happened between players who are there is counted in such parts of the time in which it could
    /// have happened.
    package static let parts: Int64 = 1_000_000

    private(set) var ids: [Int64] = []
    private(set) var players = BinaryRows(columns: 8)
    private(set) var scores = Scores()
    /// The details of some of the scores.
    private(set) var notes = BinaryRows(columns: 3)
    private(set) var donations = Donations()
    private var publishedRows = 0

    /// The columns of the scores.
    struct Scores: Sendable {
        var players: [Int64] = []
        var ids: [UUID] = []
        var boards: [Int32] = []
        var points: [Int64] = []
        var earned: [Int64] = []
        var areImprovements: [Bool] = []
        var reachedAt: [Instant] = []
    }

    /// The columns of the donations.
    struct Donations: Sendable {
        var players: [Int64] = []
        var ids: [UUID] = []
        var charities: [Int32] = []
        var points: [Int64] = []
        var areAnonymous: [Bool] = []
        var reachedAt: [Instant] = []
    }

    package init() {}

    package var playersCount: Int { ids.count }
    package var scoresCount: Int { scores.ids.count }
    package var donationsCount: Int { donations.ids.count }

    /// Whether a player with so many published rows still fits. The first player always does.
    package func hasRoom(publishedRows rows: Int) -> Bool {
        ids.isEmpty || publishedRows + rows <= Self.publishedRowsMax
    }

    /// - Parameters:
    ///   - name: A name that `PlayerName` accepts; it is not checked again.
    ///   - flag: What it shows since it registered.
    ///   - publishedRows: The most rows of `player`, `tally` and `standing` that the player will have.
    package mutating func addPlayer(
        _ id: Player.ID, in game: Game.ID, name: String, avatar: AvatarHash?, country: String?, flag: CountryFlag?,
        registeredAt: Instant, publishedRows rows: Int
    ) {
        ids.append(id.rawValue)
        publishedRows += rows
        players.beginRow()
        players.add(id)
        players.add(game)
        players.add(name)
        players.add(avatar)
        players.add(country)
        players.add(flag?.description)
        players.add(flag == nil ? nil : registeredAt)
        players.add(registeredAt)
    }

    /// - Parameter detail: JSON without insignificant white space, as the server would have stored it; nil for none.
    package mutating func addScore(
        _ id: UUID, of player: Player.ID, on board: Board.ID, points: Int64, earned: Int64, isImprovement: Bool,
        detail: String?, at reachedAt: Instant
    ) {
        scores.players.append(player.rawValue)
        scores.ids.append(id)
        scores.boards.append(board.rawValue)
        scores.points.append(points)
        scores.earned.append(earned)
        scores.areImprovements.append(isImprovement)
        scores.reachedAt.append(reachedAt)
        guard let detail else { return }
        notes.beginRow()
        notes.add(player)
        notes.add(id)
        notes.add(detail)
    }

    package mutating func addDonation(
        _ id: UUID, of player: Player.ID, to charity: Int32, points: Int64, isAnonymous: Bool, at reachedAt: Instant
    ) {
        donations.players.append(player.rawValue)
        donations.ids.append(id)
        donations.charities.append(charity)
        donations.points.append(points)
        donations.areAnonymous.append(isAnonymous)
        donations.reachedAt.append(reachedAt)
    }

    /// Forgets the rows and keeps the memory.
    package mutating func removeAll() {
        ids.removeAll(keepingCapacity: true)
        players.removeAll()
        scores = Scores()
        notes.removeAll()
        donations = Donations()
        publishedRows = 0
    }
}

/// Ties between players who are there already, which one transaction stores.
package struct DemoTieRows: Sendable {
    package enum Says: String, Sendable { case yes, no, block }

    private(set) var players: [Int64] = []
    private(set) var others: [Int64] = []
    private(set) var says: [String] = []
    private(set) var begun: [Int64] = []

    package init() {}

    package var isEmpty: Bool { players.isEmpty }
    /// Whether one more circle of players fits.
    package var hasRoom: Bool { players.count < DemoRows.publishedRowsMax - 1_000 }

    /// - Parameter part: When it began: 0..<``DemoRows/parts``.
    package mutating func add(_ player: Player.ID, about other: Player.ID, says word: Says, part: Int64) {
        players.append(player.rawValue)
        others.append(other.rawValue)
        says.append(word.rawValue)
        begun.append(part)
    }
}

/// Teams with those who are or were in them, which one transaction stores. All players are there already.
package struct DemoTeamRows: Sendable {
    struct Teams: Sendable {
        var ids: [Int64] = []
        var games: [Int32] = []
        var externals: [String?] = []
        var names: [String] = []
        var makers: [Int64] = []
        var parts: [Int64] = []
    }

    struct Members: Sendable {
        var players: [Int64] = []
        var teams: [Int64] = []
        var areCaptains: [Bool] = []
        var formers: [Int64?] = []
        var joined: [Int64] = []
        var stayed: [Int64?] = []
    }

    private(set) var teams = Teams()
    private(set) var members = Members()

    package init() {}

    package var isEmpty: Bool { teams.ids.isEmpty }
    /// Whether the teams of some more players fit.
    package var hasRoom: Bool { members.players.count < DemoRows.publishedRowsMax / 2 - 500 }

    /// - Parameters:
    ///   - external: What the game's server calls it; nil for a team that the first player has made.
    ///   - part: When it was made: 0..<``DemoRows/parts``.
    package mutating func addTeam(
        _ id: Team.ID, in game: Game.ID, external: String?, name: String, madeBy maker: Player.ID, part: Int64
    ) {
        teams.ids.append(id.rawValue)
        teams.games.append(game.rawValue)
        teams.externals.append(external)
        teams.names.append(name)
        teams.makers.append(maker.rawValue)
        teams.parts.append(part)
    }

    /// - Parameters:
    ///   - former: A team of the same rows in which the player was until it joined this one.
    ///   - joined: When it joined: 0..<``DemoRows/parts`` of the time from when it could; 0 for the captain.
    ///   - stayed: When it left: such a part of the time from then on; nil for who is in the team.
    package mutating func addMember(
        _ player: Player.ID, of team: Team.ID, isCaptain: Bool, former: Team.ID?, joined: Int64, stayed: Int64?
    ) {
        members.players.append(player.rawValue)
        members.teams.append(team.rawValue)
        members.areCaptains.append(isCaptain)
        members.formers.append(former?.rawValue)
        members.joined.append(joined)
        members.stayed.append(stayed)
    }
}

/// Rows in the binary format of COPY: a header, each row with its number of columns and each column with its length,
/// and a trailer (PostgreSQL's manual, COPY, "Binary Format").
struct BinaryRows: Sendable {
    private var bytes = Self.header
    private let columnsCount: Int16
    private(set) var count = 0

    init(columns: Int16) { columnsCount = columns }

    var isEmpty: Bool { count == 0 }

    /// All rows with the header and the trailer, ready to be sent.
    var file: [UInt8] {
        var file = bytes
        Int16(-1).encode(into: &file)
        return file
    }

    /// Begins a row. Exactly as many columns must follow as `init` was given.
    mutating func beginRow() {
        columnsCount.encode(into: &bytes)
        count += 1
    }

    /// Adds the row's next column; nil is NULL.
    mutating func add(_ value: some PostgresElement) { value.encodeElement(into: &bytes) }

    /// Forgets the rows and keeps the memory.
    mutating func removeAll() {
        bytes.removeSubrange(Self.header.count...)
        count = 0
    }

    private static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
}
