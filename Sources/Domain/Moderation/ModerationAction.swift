package import FoundationEssentials

/// What an operator does to put something right, with the reason. Ledger rows stay as they are: an action adds
/// corrections and flags, which later actions may undo.
package struct ModerationAction: Sendable {
    /// The operator's own id: the same action under the same id is done once.
    package let id: UUID
    package let kind: ModerationKind
    package let reason: ModerationReason

    package init(_ kind: ModerationKind, id: UUID, reason: ModerationReason) {
        self.kind = kind
        self.id = id
        self.reason = reason
    }
}

/// What is done, and to what.
package enum ModerationKind: Sendable, Equatable {
    /// The score counts nowhere, and what it earned is voided.
    case void(Player.ID, score: UUID)
    /// The same for all scores of a player, or for those that are held.
    case voidAll(Player.ID, heldOnly: Bool)
    /// The score is voided, and one with these points takes its place, at its time.
    case correct(Player.ID, score: UUID, points: Int64, earned: Int64)
    /// The score is kept out of every ranking until it is cleared or voided, and its points cannot be donated.
    case hold(Player.ID, score: UUID)
    case clear(Player.ID, score: UUID)
    /// All scores that are held count again.
    case clearAll(Player.ID)
    /// What waits in the queue is well: a name is shown from now on, reports are dismissed.
    case clearItem(UUID)
    /// The donation is neither funded nor unfunded. Its points can be donated again, or are forfeited.
    case reverse(Player.ID, donation: UUID, forfeits: Bool)
    /// Nobody learns from now on who made the donation. It stays so.
    case anonymise(Player.ID, donation: UUID)
    /// The player is in no ranking, page or search. What it donated counts in totals.
    case hide(Player.ID)
    /// The player is hidden, and may not write. It ends at the instant, if there is one.
    case ban(Player.ID, until: Instant?)
    case rename(Player.ID, PlayerName)
    /// The picture is taken down, and nobody may have it again.
    case takeDownPicture(Player.ID)
    /// The name and the detail that came with a score are taken down.
    case takeDownNote(Player.ID, score: UUID)
    /// The player is one with another player of its game from now on, who has the wallet and the ranks of both.
    case merge(Player.ID, into: Player.ID)
    /// Everything that tells who the player is goes, for good; sums stay. The name is said as a confirmation.
    case erase(Player.ID, confirming: String)
    /// The board's season ends, and the next one begins, for good.
    case reset(game: Slug, board: Slug)
    /// What another action did is as it was before.
    case undo(UUID)

    /// The name of the action, as the API and the log have it.
    package var name: String {
        switch self {
        case .void, .voidAll: "void"
        case .correct: "correct"
        case .hold: "hold"
        case .clear, .clearAll, .clearItem: "clear"
        case .reverse: "reverse"
        case .anonymise: "anonymise"
        case .hide: "hide"
        case .ban: "ban"
        case .rename: "rename"
        case .takeDownPicture, .takeDownNote: "take-down"
        case .merge: "merge"
        case .erase: "erase"
        case .reset: "reset"
        case .undo: "undo"
        }
    }

    /// The player that the action is about; nil of those that are about another action's, an item's, or a board.
    package var player: Player.ID? {
        switch self {
        case .void(let player, _), .voidAll(let player, _), .correct(let player, _, _, _), .hold(let player, _),
            .clear(let player, _), .clearAll(let player), .reverse(let player, _, _), .anonymise(let player, _),
            .hide(let player), .ban(let player, _), .rename(let player, _), .takeDownPicture(let player),
            .takeDownNote(let player, _), .merge(let player, _), .erase(let player, _):
            player
        case .undo, .clearItem, .reset: nil
        }
    }

    /// The score, donation or action that the action is about; nil when it is about a player as a whole.
    package var subject: UUID? {
        switch self {
        case .void(_, let id), .correct(_, let id, _, _), .hold(_, let id), .clear(_, let id), .reverse(_, let id, _),
            .anonymise(_, let id), .takeDownNote(_, let id), .undo(let id), .clearItem(let id):
            id
        case .voidAll, .clearAll, .hide, .ban, .rename, .takeDownPicture, .merge, .erase, .reset: nil
        }
    }

    /// What the action is about, as the log has it: `player=7;score=…`.
    package var subjectText: String {
        var pairs: [(String, String)] = player.map { [("player", String($0.rawValue))] } ?? []
        if let subject { pairs.append((subjectKey, subject.uuidString.lowercased())) }
        if case .reset(let game, let board) = self {
            pairs += [("game", game.description), ("board", board.description)]
        }
        return pairs.canonicalText
    }

    private var subjectKey: String {
        switch self {
        case .reverse, .anonymise: "donation"
        case .undo: "act"
        case .clearItem: "item"
        default: "score"
        }
    }

    /// Everything that was asked for but words, so that a repeat is recognized.
    package var askedText: String {
        var pairs: [(String, String)] = [("do", name), ("on", subjectText)]
        switch self {
        case .voidAll(_, let heldOnly): pairs.append(("held_only", String(heldOnly)))
        case .correct(_, _, let points, let earned): pairs += [("points", String(points)), ("earned", String(earned))]
        case .reverse(_, _, let forfeits): pairs.append(("void", String(forfeits)))
        case .ban(_, let until?): pairs.append(("until", until.rfc3339(.microseconds)))
        case .merge(_, let survivor): pairs.append(("into", String(survivor.rawValue)))
        default: break
        }
        return pairs.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
    }
}

extension [(String, String)] {
    /// `key=value`, ordered by key and joined by `;`, or `-` when there is none.
    package var canonicalText: String {
        isEmpty ? "-" : sorted { $0.0 < $1.0 }.map { "\($0.0)=\($0.1)" }.joined(separator: ";")
    }
}

/// Why something is done: 1 to 500 characters, for the log.
package struct ModerationReason: Sendable, Equatable, CustomStringConvertible {
    package let description: String

    /// - Throws: For an empty text, one that is too long, and one with controls other than line feeds and tabs.
    package init(_ text: String) throws(FieldError) {
        guard text.utf8.count <= Limits.reasonBytesMax else { throw Self.refusal }
        let reason = text.nfc
        guard (1...Limits.reasonCharactersMax).contains(reason.count), reason.utf8.count <= Limits.reasonBytesMax,
            reason.unicodeScalars.contains(where: { !$0.properties.isWhitespace }),
            !reason.unicodeScalars.contains(where: Self.isRefused)
        else { throw Self.refusal }
        description = reason
    }

    /// Why a player is erased by its own wish.
    package static let left = ModerationReason(checked: "The player left.")
    /// Why a player is erased by the server.
    package static let idle = ModerationReason(
        checked: "The player has not called for as long as the operator has set.")

    /// Why a player is erased in a copy that was restored.
    package static let erasedBefore = ModerationReason(checked: "The player was erased before this copy was restored.")

    /// Why a player became one with another by its own wish.
    package static let joinedByCode = ModerationReason(checked: "A device joined by a code, and brought its player.")

    private init(checked description: String) { self.description = description }

    private static let refusal = FieldError(
        "reason", "reason is not 1 to \(Limits.reasonCharactersMax) characters without controls. Say why this is done.")

    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\n" || scalar == "\t" { return false }
        return scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
    }
}
