import Domain
import FoundationEssentials
import Pages
import Storage

/// The form of one action, which ``ModerationDescription`` describes.
struct ModerationForm {
    let sent: Submission

    static let names = Set(["do", "reason", "step"] + ModerationField.all.map(\.name))

    /// The action's name; a text that is none is refused by the code that reads the admin API's bodies.
    /// Empty for a text that is too long to be an action: comparing a hostile one takes long.
    var kind: String { sent["do"].utf8.count <= 16 ? sent["do"] : "" }

    /// Nil for a name that no action has.
    private var description: ModerationDescription? { ModerationDescription.find(kind, source) }

    /// The address of a form.
    static func address(_ kind: String, player: Player.ID?, _ subject: (name: String, id: UUID)? = nil) -> String {
        let about = subject.map { "&\($0.name)=\($0.id.text)" } ?? ""
        return "\(ConsolePath.actions)?do=\(kind)" + (player.map { "&player=\($0.rawValue)" } ?? "") + about
    }

    /// The address of a form about a team.
    static func address(_ kind: String, team: Team.ID) -> String {
        "\(ConsolePath.actions)?do=\(kind)&team=\(team.rawValue)"
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
        let about =
            "\(item.kind.rawValue) of "
            + (name ?? item.player.map { "player \($0.rawValue)" } ?? "team \(item.team?.rawValue ?? 0)")
        let approve = address("clear", player: item.player, ("item", item.item))
        let isReport = item.kind == .report || item.kind == .teamReport
        var links = [ConsoleLink(isReport ? "Dismiss" : "Approve", approve, .button, about: about)]
        switch item.kind {
        case .held:
            if let score = item.score {
                let void = address("void", player: item.player, ("score", score))
                links.append(ConsoleLink("Void", void, .stop, about: about))
            }
        case .name: links.append(ConsoleLink("Rename", address("rename", player: item.player), .button, about: about))
        case .report: links.append(ConsoleLink("Ban", address("ban", player: item.player), .stop, about: about))
        case .teamName, .teamReport:
            guard let team = item.team else { break }
            links.append(ConsoleLink("Rename", address("rename", team: team), .button, about: about))
            links.append(ConsoleLink("Hide", address("hide", team: team), .stop, about: about))
        }
        return links
    }

    /// - Throws: 422 for an action that lacks something, as the admin API does.
    func read() throws(FieldError) -> ModerationKind { try source.kind() }

    func reason() throws(FieldError) -> ModerationReason { try source.reason() }

    private var source: ModerationFields {
        let subjects = ModerationField.subjects.filter { name in
            // The form of an undo, or of what waits, also knows the player to come back to.
            switch kind {
            case "undo": name == "act"
            case "clear" where !sent["item"].isEmpty: name == "item"
            default: true
            }
        }
        return ModerationFields(
            sent.fields(ModerationFields.known, leavingOutEmpty: true),
            subject: sent.fields(subjects, leavingOutEmpty: true))
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
        if title.contains("this player") { return title.replacing("this player", with: name) }
        return "\(title): \(about.points.map { "\(Language.english.written($0)) points, " } ?? "")\(name)"
    }

    /// Whether it cannot be undone, or takes something from a player.
    var isHard: Bool { description?.isHard ?? false }

    /// What is about to be done, in words.
    var title: String { description?.title ?? "Act" }

    /// What that means.
    func meaning(_ about: About) -> String {
        if kind == "clear", let kind = about.kind {
            switch kind {
            case .held: return "The score counts and ranks, and its points can be donated."
            case .name, .teamName: return "The name is shown from now on."
            case .report: return "The reports are dismissed. Nothing about the player changes."
            case .teamReport: return "The reports are dismissed. Nothing about the team changes."
            }
        }
        if kind == "reset", let board = about.board {
            let players =
                Language.english.written(board.players) + (board.players == 1 ? " player starts" : " players start")
            return "\(players) from nothing. The old season stays readable, and earned points stay. "
                + "This cannot be undone."
        }
        return description?.meaning ?? ""
    }

    /// What the action asks for beside its reason, as it was typed.
    var questions: [ConsoleForm.Field] {
        (description?.fields ?? []).map { asked in
            var field = ConsoleForm.Field(
                asked.name, asked.label, asked.kind == .flag ? .box : .text, hint: asked.hint,
                isRequired: !asked.isOptional)
            field.value = sent[asked.name]
            return field
        }
    }
}
