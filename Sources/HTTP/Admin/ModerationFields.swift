import Domain
import FoundationEssentials

/// The action that a body asks for.
struct ModerationFields {
    let fields: Fields
    let subject: Fields

    static let known: Set<String> = [
        "do", "on", "reason", "held_only", "points", "earned", "void", "until", "name", "into", "confirm",
    ]

    /// - Throws: 422 when `on` is missing.
    init(_ fields: Fields) throws(FieldError) {
        guard let subject = try fields.object("on") else {
            throw FieldError("on", "on is missing. Say what it is about, such as {\"player\": 7}.")
        }
        (self.fields, self.subject) = (fields, subject)
    }

    /// - Throws: 422 for an action that there is not, for one that lacks something, and for anything that it does not
    ///   take: what was misspelt must not mean more than was meant.
    func kind() throws(FieldError) -> ModerationKind {
        let word = try self.word()
        try checkNames(word)
        switch word {
        case "void":
            guard let score = try id("score") else { return .voidAll(try player(), heldOnly: try flag("held_only")) }
            return .void(try player(), score: score)
        case "correct":
            return .correct(
                try player(), score: try needed("score"), points: try number("points", Int64.min...Int64.max),
                earned: try number("earned", 0...Limits.walletPointsMax))
        case "hold": return .hold(try player(), score: try needed("score"))
        case "clear":
            if let item = try id("item") { return .clearItem(item) }
            let player = try player()
            return try id("score").map { .clear(player, score: $0) } ?? .clearAll(player)
        case "reverse": return .reverse(try player(), donation: try needed("donation"), forfeits: try flag("void"))
        case "anonymise": return .anonymise(try player(), donation: try needed("donation"))
        case "hide": return .hide(try player())
        case "ban": return .ban(try player(), until: try fields.instant("until"))
        case "rename":
            guard let name = try fields.text("name") else { throw FieldError("name", "name is missing. Send one.") }
            return .rename(try player(), try PlayerName(name, field: "name"))
        case "take-down":
            let player = try player()
            return try id("score").map { .takeDownNote(player, score: $0) } ?? .takeDownPicture(player)
        case "merge":
            guard let id = try fields.integer("into"), (1...Limits.playerIDMax).contains(id) else {
                throw FieldError(
                    "into", "into is missing, or no player id. Send the number of whom it becomes one with.")
            }
            return .merge(try player(), into: Player.ID(rawValue: id))
        case "erase":
            guard let name = try fields.text("confirm"), name.utf8.count <= Limits.nameBytesMax else {
                throw FieldError("confirm", "confirm is missing. Send the player's name: an erasure is for good.")
            }
            return .erase(try player(), confirming: name)
        case "reset": return .reset(game: try slug("game"), board: try slug("board"))
        case "undo": return .undo(try needed("act"))
        default:
            throw FieldError(
                "do",
                "do is one of void, correct, hold, clear, reverse, anonymise, hide, ban, rename, take-down, merge, "
                    + "erase, reset and undo.")
        }
    }

    /// What each action takes: of `on`, and beside it.
    private static let taken: [String: (on: Set<String>, fields: Set<String>)] = [
        "void": (["player", "score"], ["held_only"]), "correct": (["player", "score"], ["points", "earned"]),
        "hold": (["player", "score"], []), "clear": (["player", "score", "item"], []),
        "reverse": (["player", "donation"], ["void"]), "anonymise": (["player", "donation"], []),
        "hide": (["player"], []), "ban": (["player"], ["until"]), "rename": (["player"], ["name"]),
        "take-down": (["player", "score"], []), "merge": (["player"], ["into"]), "erase": (["player"], ["confirm"]),
        "reset": (["game", "board"], []), "undo": (["act"], []),
    ]

    /// What is to be done. A longer text is no action, and comparing a hostile one takes long.
    private func word() throws(FieldError) -> String? {
        try fields.text("do").flatMap { $0.utf8.count <= 16 ? $0 : nil }
    }

    private func checkNames(_ word: String?) throws(FieldError) {
        guard let taken = word.flatMap({ Self.taken[$0] }) else { return }
        guard case .json(let members) = subject, members.hasOnly(taken.on),
            taken.on.allSatisfy({ subject.presence(of: $0) != .null })
        else {
            let names = taken.on.sorted().joined(separator: ", ")
            throw FieldError("on", "on has a member that this action does not take, or null. Send \(names).")
        }
        for field in Self.known.subtracting(["do", "on", "reason"]).subtracting(taken.fields).sorted()
        where fields.presence(of: field) != .absent {
            throw FieldError(field, "\(field) is nothing that this action takes. Leave it out.")
        }
        if subject.presence(of: "score") == .value, fields.presence(of: "held_only") != .absent {
            throw FieldError("held_only", "held_only is for all scores of a player. Leave it or the score out.")
        }
    }

    private func flag(_ field: String) throws(FieldError) -> Bool {
        if fields.presence(of: field) == .absent { return false }
        guard case .json(let object) = fields, let value = object[field], value.kind == .true || value.kind == .false
        else { throw FieldError(field, "\(field) is neither true nor false. Send one of them.") }
        return value.kind == .true
    }

    func reason() throws(FieldError) -> ModerationReason { try ModerationReason(try fields.text("reason") ?? "") }

    private func player() throws(FieldError) -> Player.ID {
        guard let id = try subject.integer("player"), (1...Limits.playerIDMax).contains(id) else {
            throw FieldError("on", "on.player is missing, or no player id. Send its number.")
        }
        return Player.ID(rawValue: id)
    }

    private func slug(_ field: String) throws(FieldError) -> Slug {
        guard let text = try subject.text(field), text.utf8.count <= 64, let slug = Slug(text) else {
            throw FieldError("on", "on.\(field) is missing, or no slug. Send the one that is in its address.")
        }
        return slug
    }

    private func id(_ field: String) throws(FieldError) -> UUID? {
        guard let text = try subject.text(field) else { return nil }
        guard text.utf8.count == 36, let id = UUID(uuidString: text) else {
            throw FieldError("on", "on.\(field) is no UUID. Send the one under which it was recorded.")
        }
        return id
    }

    private func needed(_ field: String) throws(FieldError) -> UUID {
        guard let id = try id(field) else {
            throw FieldError("on", "on.\(field) is missing. Send the UUID under which it was recorded.")
        }
        return id
    }

    private func number(_ field: String, _ range: ClosedRange<Int64>) throws(FieldError) -> Int64 {
        guard let number = try fields.integer(field), range.contains(number) else {
            throw FieldError(field, "\(field) is missing or out of its range. Send a whole number.")
        }
        return number
    }
}
