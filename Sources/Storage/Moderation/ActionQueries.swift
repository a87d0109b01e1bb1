import Domain
import FoundationEssentials
import Postgres
import Statements

// The statements of actions that find what they are about and keep what they did.

extension KnownAction: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (player, asked): (Player.ID?, String) = (try row.next(), try row.next())
        let (before, after) = (try row.walletSums(), try row.walletSums())
        let (actor, at): (String, Instant) = (try row.next(), try row.next())
        let (wordsHash, salt): (Bytes?, Bytes?) = (try row.next(), try row.next())
        self = KnownAction(
            player: player, asked: asked, before: before, after: after, actor: actor, at: at,
            wordsHash: wordsHash?.bytes, salt: salt?.bytes, entry: try row.next())
    }
}

/// An action that was done before.
struct KnownAction: Sendable {
    /// Nil of actions on boards.
    let player: Player.ID?
    let asked: String
    let before: WalletSums
    let after: WalletSums
    let actor: String
    let at: Instant
    let wordsHash: [UInt8]?
    /// Nil when the words were erased.
    let salt: [UInt8]?
    /// Its number in the log.
    let entry: Int64
}

extension RowReader {
    /// Reads an array of a wallet's four sums.
    fileprivate mutating func walletSums() throws(DecodingFailure) -> WalletSums {
        let sums: [Int64] = try next()
        guard sums.count == 4 else { throw DecodingFailure(.outOfRange, WalletSums.self, from: .unspecified) }
        return WalletSums(earned: sums[0], voided: sums[1], held: sums[2], donated: sums[3])
    }
}

extension WalletSums { fileprivate var array: [Int64] { [earned, voided, held, donated] } }

extension PastAction: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let (kind, player): (String, Player.ID?) = (try row.next(), try row.next())
        let (walletOwner, entry): (Player.ID?, Int64) = (try row.next(), try row.next())
        let subject: String = try row.next()
        let (before, after) = (try row.walletSums(), try row.walletSums())
        self = PastAction(
            kind: kind, player: player, walletOwner: walletOwner, entry: entry, subject: subject, before: before,
            after: after, actor: try row.next(), at: try row.next(), reason: try row.next(), name: try row.next(),
            undoneBy: try row.next(), isAboutAnonymous: try row.next())
    }
}

/// An action as it was done.
struct PastAction: Sendable {
    let kind: String
    /// Nil of actions on boards.
    let player: Player.ID?
    /// Whose wallet the sums are of; nil of actions on boards.
    let walletOwner: Player.ID?
    /// Its number in the log.
    let entry: Int64
    let subject: String
    let before: WalletSums
    let after: WalletSums
    let actor: String
    let at: Instant
    /// Nil when the words were erased.
    let reason: String?
    let name: String?
    let undoneBy: UUID?
    /// Whether it tells who made a donation anonymously.
    let isAboutAnonymous: Bool
}

extension UndoableAction: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        self = try UndoableAction(
            kind: row.next(), player: row.next(), into: row.next(), name: row.next(), formerName: row.next(),
            isUndone: row.next(), formerWaiting: WaitingName(name: row.next(), since: row.next(), nextWaits: row.next())
        )
    }
}

/// An action that may be undone.
struct UndoableAction: Sendable {
    let kind: String
    /// Nil of actions on boards.
    let player: Player.ID?
    /// The player into whom it was merged; nil of other actions.
    let into: Player.ID?
    /// The name that the action gave, and the one before; nil also when the words were erased.
    let name: String?
    let formerName: String?
    let isUndone: Bool
    let formerWaiting: WaitingName
}

/// The name of a player that waits for approval.
struct WaitingName: Sendable {
    /// Nil when none waits.
    let name: String?
    let since: Instant?
    /// Whether the next name that the player gives itself waits.
    let nextWaits: Bool
}

/// `action_add.sql`
struct ActionAdd: Query {
    typealias Row = Void
    static let sql = SQL.actionAdd
    let action: ModerationAction
    /// Nil of actions on boards.
    let player: Player.ID?
    /// The player into whom it was merged, also by the action that is undone; nil of other actions.
    let into: Player.ID?
    /// Whose row the score or the donation is; nil of actions on players, and of an undo.
    let owner: Player.ID?
    /// Nil of all other actions.
    var team: Team.ID?
    let before: WalletSums
    let after: WalletSums
    let entry: Int64
    let now: Instant
    var binds: Binds {
        var until: Instant?
        if case .ban(_, let end) = action.kind { until = end }
        var undone: UUID?
        if case .undo(let other) = action.kind { undone = other }
        return [
            action.id, action.kind.name, player, action.kind.subject, until, action.kind.askedText, before.array,
            after.array, entry, undone, now, into, owner, team,
        ]
    }
}

extension ActionMovement: RowDecodable {
    init(row: inout RowReader) throws(DecodingFailure) {
        let player: Player.ID = try row.next()
        let subject = LedgerRowID(owner: try row.next(), id: try row.next())
        let isScore: Bool = try row.next()
        let states = ActionMovement.States(was: try row.next(), became: try row.next())
        self = ActionMovement(
            player: player, subject: subject, isScore: isScore, states: states, forfeited: try row.next(),
            restored: try row.next(), newestAction: try row.next())
    }
}

/// What an action did with one score or donation.
struct ActionMovement: Sendable {
    /// What it was before the action, and what the action made of it.
    struct States: Hashable, Sendable {
        let was: LedgerState
        let became: LedgerState
    }

    /// What is moved back together.
    struct Group: Hashable {
        let player: Player.ID
        let states: States
    }

    var group: Group { Group(player: player, states: states) }

    /// For whom it counts by now.
    let player: Player.ID
    let subject: LedgerRowID
    let isScore: Bool
    let states: States
    /// Points of a reversed donation that did not come back to the player.
    let forfeited: Int64
    /// Points that were forfeited before and came back.
    let restored: Int64
    /// The last action that moved it, of those that are not undone; nil when the server moved it afterwards.
    let newestAction: UUID?
}
