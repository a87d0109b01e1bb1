import Domain
import FoundationEssentials
import Pages
import Storage

/// The form of one action: what it asks for beside its reason, and the body of the admin API that it becomes.
struct ModerationForm {
    let sent: Submission

    static let names: Set<String> = [
        "do", "player", "score", "donation", "act", "reason", "held_only", "points", "earned", "void", "until", "name",
        "into", "confirm", "item", "game", "board", "step",
    ]

    /// The action's name; a text that is none is refused by the code that reads the admin API's bodies.
    /// Empty for a text that is too long to be an action: comparing a hostile one takes long.
    var kind: String { sent["do"].utf8.count <= 16 ? sent["do"] : "" }

    /// The address of a form.
    static func address(_ kind: String, player: Player.ID, _ subject: (name: String, id: UUID)? = nil) -> String {
        let about = subject.map { "&\($0.name)=\($0.id.text)" } ?? ""
        return "\(ConsolePath.actions)?do=\(kind)&player=\(player.rawValue)\(about)"
    }

    /// What can be done about a row of a ledger, by its state.
    static func links(of row: LedgerRow, _ player: Player.ID) -> [ConsoleLink] {
        let table = row.kind == "score" ? "score" : "donation"
        func link(_ text: String, _ kind: String) -> ConsoleLink {
            ConsoleLink(
                text, address(kind, player: player, (table, row.id)), .button, about: "\(table) of \(row.points)")
        }
        switch (table, row.state) {
        case ("score", "held"): return [link("Clear", "clear"), link("Void", "void")]
        case ("score", "voided"): return []
        case ("score", _):
            return [
                link("Void", "void"), link("Correct", "correct"), link("Hold", "hold"), link("Take down", "take-down"),
            ]
        case (_, "reversed"): return []
        default:
            return [link("Reverse", "reverse")]
                + (row.isAnonymous == false ? [link("Make anonymous", "anonymise")] : [])
        }
    }

    /// What can be done about something that waits.
    /// - Parameter name: The player's.
    static func links(of item: QueueItem, _ name: String?) -> [ConsoleLink] {
        let about = "\(item.kind.rawValue) of \(name ?? "player \(item.player.rawValue)")"
        let approve = address("clear", player: item.player, ("item", item.item))
        var links = [ConsoleLink(item.kind == .report ? "Dismiss" : "Approve", approve, .button, about: about)]
        switch item.kind {
        case .held:
            if let score = item.score {
                let void = address("void", player: item.player, ("score", score))
                links.append(ConsoleLink("Void", void, .stop, about: about))
            }
        case .name: links.append(ConsoleLink("Rename", address("rename", player: item.player), .button, about: about))
        case .report: links.append(ConsoleLink("Ban", address("ban", player: item.player), .stop, about: about))
        }
        return links
    }

    /// - Throws: 422 for an action that lacks something, as the admin API does.
    func read() throws -> ModerationKind { try fields().kind() }

    func reason() throws -> ModerationReason { try fields().reason() }

    private func fields() throws -> ModerationFields {
        let about = Self.subjects(of: sent)
        var on: [(String, String)] = []
        for name in about where !sent[name].isEmpty { on.append((name, Submission.quoted(sent[name]))) }
        let subject = "{" + on.map { "\(Submission.quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
        var members = [("do", Submission.quoted(kind)), ("on", subject)]
        for name in ["reason", "points", "earned", "until", "name", "into", "confirm"] where !sent[name].isEmpty {
            members.append((name, Submission.quoted(sent[name])))
        }
        for name in ["held_only", "void"] where sent.says(name, "true") { members.append((name, "true")) }
        return try ModerationFields(Submission.fields(members))
    }

    /// What the action is about: the form of an undo, or of what waits, also knows the player to come back to.
    private static func subjects(of sent: Submission) -> [String] {
        if sent.says("do", "undo") { return ["act"] }
        if sent.says("do", "clear"), !sent["item"].isEmpty { return ["item"] }
        return ["player", "score", "donation", "act", "item", "game", "board"]
    }

    /// What an action is about, in words: as far as it is known.
    struct About: Sendable {
        struct Board: Sendable {
            let game: Slug
            let slug: Slug
            let name: String
            let gameName: String
            /// The number of the season that would begin.
            let season: Int64
            /// Who stands on the board now.
            let players: Int64
        }

        var player: Player.ID?
        var name: String?
        /// Those of the score.
        var points: Int64?
        /// What waits, where the action is about something that does.
        var kind: QueueItem.Kind?
        var board: Board?
    }

    /// The heading of the form: the action and what it is about.
    func heading(_ about: About) -> String {
        if let board = about.board, kind == "reset" {
            return "Begin season \(board.season) of \(board.name) (\(board.gameName))"
        }
        guard let name = about.name else { return title }
        switch (kind, sent["score"].isEmpty) {
        case ("void", true): return "Void all scores of \(name)"
        case ("hide", _): return "Hide \(name)"
        case ("ban", _): return "Ban \(name)"
        case ("rename", _): return "Rename \(name)"
        case ("merge", _): return "Merge \(name) with another player"
        case ("erase", _): return "Erase \(name)"
        case (_, false):
            return "\(title): \(about.points.map { "\(Language.english.written($0)) points, " } ?? "")\(name)"
        default: return "\(title): \(name)"
        }
    }

    /// Whether it cannot be undone, or takes something from a player.
    var isHard: Bool { ["void", "ban", "erase", "merge", "reset"].contains(kind) }

    /// What is about to be done, in words.
    var title: String {
        switch (kind, sent["score"].isEmpty) {
        case ("void", true): "Void all scores"
        case ("void", false): "Void this score"
        case ("correct", _): "Correct this score"
        case ("hold", _): "Hold this score"
        case ("clear", true): sent["item"].isEmpty ? "Clear what is held" : "Approve this"
        case ("clear", false): "Clear this score"
        case ("reverse", _): "Reverse this donation"
        case ("anonymise", _): "Turn this donation anonymous"
        case ("hide", _): "Hide this player"
        case ("ban", _): "Ban this player"
        case ("rename", _): "Rename this player"
        case ("take-down", true): "Take down the picture"
        case ("take-down", false): "Take down this score's name and detail"
        case ("merge", _): "Make two players one"
        case ("erase", _): "Erase this player"
        case ("reset", _): "Begin a new season"
        case ("undo", _): "Undo this action"
        default: "Act"
        }
    }

    /// What that means.
    func meaning(_ about: About) -> String {
        if kind == "clear", !sent["item"].isEmpty, let kind = about.kind {
            switch kind {
            case .held: return "The score counts and ranks, and its points can be donated."
            case .name: return "The name is shown from now on."
            case .report: return "The reports are dismissed. Nothing about the player changes."
            }
        }
        if kind == "reset", let board = about.board {
            let players =
                Language.english.written(board.players) + (board.players == 1 ? " player starts" : " players start")
            return "\(players) from nothing. The old season stays readable, and earned points stay. "
                + "This cannot be undone."
        }
        return meaning
    }

    private var meaning: String {
        switch (kind, sent["score"].isEmpty) {
        case ("void", true): "They count nowhere, and what they earned is voided."
        case ("void", false): "It counts nowhere, and what it earned is voided."
        case ("correct", _): "It is voided, and a score with these points takes its place, at its time."
        case ("hold", _): "It is in no ranking, and its points cannot be donated, until it is cleared or voided."
        case ("clear", _): "It ranks, and its points can be donated."
        case ("reverse", _): "It counts for the charity no more. Its points can be donated again, or are voided."
        case ("anonymise", _): "Nobody learns any more who donated it, for good. It counts as before."
        case ("hide", _): "The player is in no ranking, page or search. Donations count in totals."
        case ("ban", _): "The player is hidden and may not write. With a date, the ban lifts by itself."
        case ("rename", _): "The player has this name from now on."
        case ("take-down", true): "It is gone for good, and nobody may have it again."
        case ("take-down", false): "They are gone for good. The score counts."
        case ("merge", _): "This player becomes one with another one, who keeps the name. The ledgers stay."
        case ("erase", _): "Everything that tells who this is goes, for good. Sums stay."
        case ("reset", _): "The season ends, and the next one begins, for good. What was earned stays."
        case ("undo", _): "What it did is as it was before."
        default: ""
        }
    }

    /// What the action asks for beside its reason, as it was typed.
    var questions: [ConsoleForm.Field] {
        let all: [ConsoleForm.Field]
        switch kind {
        case "void" where sent["score"].isEmpty:
            all = [ConsoleForm.Field("held_only", "Only those that are held", .box)]
        case "correct":
            all = [
                ConsoleForm.Field("points", "Points of the new score", isRequired: true),
                ConsoleForm.Field("earned", "Points that it earns", isRequired: true),
            ]
        case "reverse": all = [ConsoleForm.Field("void", "Void its points, so that they cannot be donated again", .box)]
        case "ban":
            all = [ConsoleForm.Field("until", "Until", hint: "In UTC, such as 2026-12-01T00:00:00Z. Empty: for good.")]
        case "rename": all = [ConsoleForm.Field("name", "New name", isRequired: true)]
        case "merge": all = [ConsoleForm.Field("into", "Id of the player to become one with", isRequired: true)]
        case "erase":
            all = [ConsoleForm.Field("confirm", "The player's name", hint: "As a confirmation.", isRequired: true)]
        default: all = []
        }
        return all.map { field in
            var field = field
            field.value = sent[field.name]
            return field
        }
    }
}
