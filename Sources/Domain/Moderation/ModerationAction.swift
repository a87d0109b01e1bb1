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
    case renameTeam(Team.ID, PlayerName)
    /// The team is in no ranking and has no page. Its members stay in it.
    case hideTeam(Team.ID)
    /// The player has an award that is granted, or no longer.
    case grant(Player.ID, award: Slug)
    case withdraw(Player.ID, award: Slug)
    /// The picture is taken down, and nobody may have it again.
    case takeDownPicture(Player.ID)
    /// The name and the detail that came with a score are taken down.
    case takeDownNote(Player.ID, score: UUID)
    /// The player is one with another player of its game from now on, who has the wallet and the ranks of both.
    case merge(Player.ID, into: Player.ID)
    /// Everything that tells who the player is goes, for good; sums stay. The name is said as a confirmation.
    case erase(Player.ID, confirming: String)
    /// The board's season ends, and the next one begins, for good. If a season is named, only that one ends.
    case reset(game: Slug, board: Slug, season: Int32? = nil)
    /// What another action did is as it was before.
    case undo(UUID)

    /// The name of the action, as the API and the log have it.
    package var name: String { parts.word }

    /// The player that the action is about; nil of those that are about another action's, an item's, or a board.
    package var player: Player.ID? { parts.player }

    /// The score, donation or action that the action is about; nil when it is about a player as a whole.
    package var subject: UUID? { parts.subject?.id }

    /// What the action is about, as the log has it: `player=7;score=…`.
    package var subjectText: String {
        let parts = parts
        var pairs = parts.board
        if let player = parts.player { pairs.append(("player", String(player.rawValue))) }
        if let team = parts.team { pairs.append(("team", String(team.rawValue))) }
        if let (name, id) = parts.subject { pairs.append((name, id.uuidString.lowercased())) }
        return pairs.canonicalText
    }

    /// Everything that was asked for but words, so that a repeat is recognized.
    package var askedText: String {
        ([("do", name), ("on", subjectText)] + parts.asked).map { "\($0.0)=\($0.1)" }.joined(separator: " ")
    }

    private struct Parts {
        let word: String
        var player: Player.ID?
        var team: Team.ID?
        var subject: (name: String, id: UUID)?
        /// The slugs of a board and its game.
        var board: [(String, String)] = []
        var asked: [(String, String)] = []

        init(
            _ word: String, _ player: Player.ID? = nil, _ subject: (name: String, id: UUID)? = nil,
            team: Team.ID? = nil, asked: [(String, String)] = []
        ) {
            self.word = word
            self.team = team
            self.player = player
            self.subject = subject
            self.asked = asked
        }
    }

    private var parts: Parts {
        switch self {
        case .void(let player, let id): return Parts("void", player, ("score", id))
        case .voidAll(let player, let heldOnly): return Parts("void", player, asked: [("held_only", String(heldOnly))])
        case .correct(let player, let id, let points, let earned):
            return Parts(
                "correct", player, ("score", id), asked: [("points", String(points)), ("earned", String(earned))])
        case .hold(let player, let id): return Parts("hold", player, ("score", id))
        case .clear(let player, let id): return Parts("clear", player, ("score", id))
        case .clearAll(let player): return Parts("clear", player)
        case .clearItem(let id): return Parts("clear", nil, ("item", id))
        case .reverse(let player, let id, let forfeits):
            return Parts("reverse", player, ("donation", id), asked: [("void", String(forfeits))])
        case .anonymise(let player, let id): return Parts("anonymise", player, ("donation", id))
        case .hide(let player): return Parts("hide", player)
        case .ban(let player, let until):
            return Parts("ban", player, asked: until.map { [("until", $0.rfc3339(.microseconds))] } ?? [])
        case .rename(let player, _): return Parts("rename", player)
        case .renameTeam(let team, _): return Parts("rename", team: team)
        case .hideTeam(let team): return Parts("hide", team: team)
        case .grant(let player, let award): return Parts("grant", player, asked: [("award", award.description)])
        case .withdraw(let player, let award): return Parts("withdraw", player, asked: [("award", award.description)])
        case .takeDownPicture(let player): return Parts("take-down", player)
        case .takeDownNote(let player, let id): return Parts("take-down", player, ("score", id))
        case .merge(let player, let survivor):
            return Parts("merge", player, asked: [("into", String(survivor.rawValue))])
        case .erase(let player, _): return Parts("erase", player)
        case .reset(let game, let board, let season):
            var parts = Parts("reset")
            parts.board = [("game", game.description), ("board", board.description)]
            if let season { parts.asked = [("season", String(season))] }
            return parts
        case .undo(let id): return Parts("undo", nil, ("act", id))
        }
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

    /// Why a season begins, where nobody has said so.
    package static let nextSeason = ModerationReason(checked: "The next season begins.")

    /// Why a player became one with another by its own wish.
    package static let joinedByCode = ModerationReason(checked: "A device joined by a code, and brought its player.")

    /// The same, when the player signed in on a device with a player of its own.
    package static let joinedBySignIn = ModerationReason(
        checked: "A device joined by a sign-in, and brought its player.")

    private init(checked description: String) { self.description = description }

    private static let refusal = FieldError(
        "reason", "reason is not 1 to \(Limits.reasonCharactersMax) characters without controls. Say why this is done.")

    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\n" || scalar == "\t" { return false }
        return scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
    }
}
