import FoundationEssentials

/// A moderation action, described once. From this the admin API, the console and the command line parse requests, build
/// forms and options, and explain the action.
package struct ModerationDescription: Sendable {
    /// `do` in the admin API, and the word after `causeboard act`. Several descriptions may share a word: then the
    /// first one applies whose last subject was sent, otherwise the last one.
    package let word: String
    /// What it is about: `on` in the admin API.
    package let subjects: [ModerationField]
    /// What it takes besides its subjects.
    package let fields: [ModerationField]
    /// The scope that an operator's key needs besides `moderate`.
    package let scope: KeyScope?
    /// Whether it cannot be undone, or takes something from a player.
    package let isHard: Bool
    package let title: String
    /// What the action does.
    package let meaning: String
    private let make: @Sendable (ModerationReader) throws(FieldError) -> ModerationKind

    private init(
        _ word: String, on subjects: [ModerationField], _ fields: [ModerationField] = [], scope: KeyScope? = nil,
        isHard: Bool = false, title: String, meaning: String,
        make: @escaping @Sendable (ModerationReader) throws(FieldError) -> ModerationKind
    ) {
        self.word = word
        self.subjects = subjects
        self.fields = fields
        self.scope = scope
        self.isHard = isHard
        self.title = title
        self.meaning = meaning
        self.make = make
    }

    package static let all: [ModerationDescription] = [
        ModerationDescription(
            "void", on: [.player, .score], isHard: true, title: "Void this score",
            meaning: "It counts nowhere, and what it earned is voided."
        ) { read throws(FieldError) in .void(try read.player(), score: try read.id(.score)) },
        ModerationDescription(
            "void", on: [.player], [.heldOnly], isHard: true, title: "Void all scores of this player",
            meaning: "They count nowhere, and what they earned is voided."
        ) { read throws(FieldError) in .voidAll(try read.player(), heldOnly: try read.flag(.heldOnly)) },
        ModerationDescription(
            "correct", on: [.player, .score], [.points, .earned], title: "Correct this score",
            meaning: "It is voided, and a score with these points takes its place, with the same time."
        ) { read throws(FieldError) in
            .correct(
                try read.player(), score: try read.id(.score), points: try read.whole(.points),
                earned: try read.whole(.earned))
        },
        ModerationDescription(
            "hold", on: [.player, .score], title: "Hold this score",
            meaning: "It is in no ranking, and its points cannot be donated, until it is cleared or voided."
        ) { read throws(FieldError) in .hold(try read.player(), score: try read.id(.score)) },
        ModerationDescription(
            "clear", on: [.item], title: "Approve this",
            meaning: "A held score counts, a name is shown, and reports are dismissed."
        ) { read throws(FieldError) in .clearItem(try read.id(.item)) },
        ModerationDescription(
            "clear", on: [.player, .score], title: "Clear this score",
            meaning: "It ranks, and its points can be donated."
        ) { read throws(FieldError) in .clear(try read.player(), score: try read.id(.score)) },
        ModerationDescription(
            "clear", on: [.player], title: "Clear what is held", meaning: "It ranks, and its points can be donated."
        ) { read throws(FieldError) in .clearAll(try read.player()) },
        ModerationDescription(
            "reverse", on: [.player, .donation], [.void], title: "Reverse this donation",
            meaning: "It no longer counts for the charity. Its points can be donated again, or are voided."
        ) { read throws(FieldError) in
            .reverse(try read.player(), donation: try read.id(.donation), forfeits: try read.flag(.void))
        },
        ModerationDescription(
            "anonymise", on: [.player, .donation], title: "Make this donation anonymous",
            meaning: "Nobody can see who donated it any more, permanently. It counts as before."
        ) { read throws(FieldError) in .anonymise(try read.player(), donation: try read.id(.donation)) },
        ModerationDescription(
            "hide", on: [.team], title: "Hide this team",
            meaning: "The team is in no ranking and has no page. Its members stay in it, and in all other rankings."
        ) { read throws(FieldError) in .hideTeam(try read.team()) },
        ModerationDescription(
            "hide", on: [.player], title: "Hide this player",
            meaning: "The player is in no ranking, page or search. Donations count in totals."
        ) { read throws(FieldError) in .hide(try read.player()) },
        ModerationDescription(
            "ban", on: [.player], [.until], isHard: true, title: "Ban this player",
            meaning: "The player is hidden and may not write. With a date, the ban lifts by itself."
        ) { read throws(FieldError) in .ban(try read.player(), until: try read.source.instant("until")) },
        ModerationDescription(
            "rename", on: [.team], [.name], title: "Rename this team",
            meaning: "The team gets this name. The next one that its captain chooses waits for approval."
        ) { read throws(FieldError) in .renameTeam(try read.team(), try PlayerName(try read.text(.name), field: "name"))
        },
        ModerationDescription(
            "rename", on: [.player], [.name], title: "Rename this player", meaning: "The player gets this name."
        ) { read throws(FieldError) in .rename(try read.player(), try PlayerName(try read.text(.name), field: "name"))
        },
        ModerationDescription(
            "take-down", on: [.player, .score], title: "Take down this score's name and detail",
            meaning: "They are deleted permanently. The score still counts."
        ) { read throws(FieldError) in .takeDownNote(try read.player(), score: try read.id(.score)) },
        ModerationDescription(
            "take-down", on: [.player], title: "Take down the picture",
            meaning: "It is deleted permanently, and nobody can upload it again."
        ) { read throws(FieldError) in .takeDownPicture(try read.player()) },
        ModerationDescription(
            "grant", on: [.player], [.award], title: "Grant this player an award",
            meaning: "The player has it from now on. Only awards with the rule granted can be granted."
        ) { read throws(FieldError) in .grant(try read.player(), award: try read.slug(.award)) },
        ModerationDescription(
            "withdraw", on: [.player], [.award], title: "Withdraw a granted award",
            meaning: "The player does not have it any more. It can be granted again."
        ) { read throws(FieldError) in .withdraw(try read.player(), award: try read.slug(.award)) },
        ModerationDescription(
            // Merging a player into one of your own shows you all that the player sees.
            "merge", on: [.player], [.into], scope: .personal, isHard: true,
            title: "Merge this player with another player",
            meaning: "This player becomes part of the other one, whose name stays. The ledgers stay."
        ) { read throws(FieldError) in .merge(try read.player(), into: try read.player(.into)) },
        ModerationDescription(
            "erase", on: [.player], [.confirm], scope: .personal, isHard: true, title: "Erase this player",
            meaning: "Everything that identifies the player is deleted permanently. Sums stay."
        ) { read throws(FieldError) in .erase(try read.player(), confirming: try read.text(.confirm)) },
        ModerationDescription(
            "reset", on: [.game, .board], scope: .operate, isHard: true, title: "Begin a new season",
            meaning: "The season ends and the next one begins, permanently. What was earned stays."
        ) { read throws(FieldError) in .reset(game: try read.slug(.game), board: try read.slug(.board)) },
        ModerationDescription("undo", on: [.act], title: "Undo this action", meaning: "What it changed is restored.") {
            read throws(FieldError) in .undo(try read.id(.act))
        },
    ]

    /// The words of all actions, without repeats.
    package static let words: [String] = all.map(\.word).reduce(into: []) { words, word in
        if words.last != word { words.append(word) }
    }

    /// The description that applies to what was sent; nil if the word is not an action.
    package static func find(_ word: String, _ source: some SettingSource) -> ModerationDescription? {
        let named = all.filter { $0.word.utf8.elementsEqual(word.utf8) }
        return named.first { $0.subjects.last.map { !source.isAbsent($0.name) } ?? false } ?? named.last
    }

    /// The subjects that actions of a word take.
    package static func subjects(of word: String) -> Set<String> {
        Set(all.filter { $0.word.utf8.elementsEqual(word.utf8) }.flatMap(\.subjects).map(\.name))
    }

    /// Reads the action that was asked for.
    /// - Throws: For an unknown action, a missing field, and a field that the action does not take: a misspelt field
    ///   must not widen the action.
    package static func kind(_ word: String, _ source: some ModerationSource) throws(FieldError) -> ModerationKind {
        guard let description = find(word, source), let last = description.subjects.last else {
            let words = "\(words.dropLast().joined(separator: ", ")) and \(words.last ?? "")"
            throw FieldError("do", "do must be one of \(words).")
        }
        do throws(FieldError) {
            let others = all.filter { $0.word == description.word }.flatMap { $0.subjects + $0.fields }
            let taken = Set((description.subjects + description.fields).map(\.name))
            for field in ModerationField.all where !taken.contains(field.name) && !source.isAbsent(field.name) {
                let name = field.name
                guard others.contains(where: { $0.name == name }) else {
                    throw FieldError(name, "\(name) does not belong to this action. Leave it out.")
                }
                throw FieldError(name, "\(name) does not go with \(last.name). Leave one of them out.")
            }
            return try description.make(ModerationReader(source: source))
        } catch { throw ModerationField.subjects.contains(error.field) ? source.aboutSubject(error) : error }
    }
}

extension ModerationKind {
    /// The scope that an operator's key needs besides `moderate`.
    package var scope: KeyScope? { ModerationDescription.all.first { $0.word == name }?.scope }
}

/// A subject of a moderation action, or another value that it takes.
package struct ModerationField: Sendable {
    package enum Kind: Sendable, Equatable { case player, id, slug, flag, whole(ClosedRange<Int64>), instant, text }

    package let key: StaticString
    package let kind: Kind
    /// Its label in forms and `--help`.
    package let label: String
    package let hint: String?
    /// Whether it may be absent.
    package let isOptional: Bool

    package var name: String { "\(key)" }

    private init(_ key: StaticString, _ kind: Kind, _ label: String, hint: String? = nil, isOptional: Bool = false) {
        self.key = key
        self.kind = kind
        self.label = label
        self.hint = hint
        self.isOptional = isOptional || kind == .flag
    }

    package static let player = ModerationField("player", .player, "The player's id")
    package static let team = ModerationField("team", .player, "The team's id")
    package static let score = ModerationField("score", .id, "The score's id")
    package static let donation = ModerationField("donation", .id, "The donation's id")
    package static let item = ModerationField("item", .id, "An item of `causeboard queue`")
    package static let act = ModerationField(
        "act", .id, "The id of the action to undo", hint: "The reply to the action and `causeboard log` show it.")
    package static let game = ModerationField("game", .slug, "The game's slug")
    package static let board = ModerationField("board", .slug, "The board's slug")

    package static let award = ModerationField("award", .slug, "The award's slug")

    package static let heldOnly = ModerationField("held_only", .flag, "Only scores that are held")
    package static let points = ModerationField("points", .whole(.min ... .max), "Points of the new score")
    package static let earned = ModerationField(
        "earned", .whole(0...Limits.walletPointsMax), "Points that it earns", hint: "0 or more.")
    package static let void = ModerationField("void", .flag, "Void its points, so that they cannot be donated again")
    package static let until = ModerationField(
        "until", .instant, "Until", hint: "In UTC, such as 2026-12-01T00:00:00Z. Empty: for good.", isOptional: true)
    package static let name = ModerationField("name", .text, "New name")
    package static let into = ModerationField("into", .player, "Id of the player to merge into")
    package static let confirm = ModerationField("confirm", .text, "The player's name", hint: "As a confirmation.")

    /// The fields of all actions, in the order in which they first occur.
    package static let all: [ModerationField] = ModerationDescription.all.reduce(into: []) { fields, action in
        for field in action.subjects + action.fields where !fields.contains(where: { $0.name == field.name }) {
            fields.append(field)
        }
    }

    /// The names of all subjects.
    package static let subjects = Set(ModerationDescription.all.flatMap(\.subjects).map(\.name))
}

/// What was sent to ask for an action.
package protocol ModerationSource: SettingSource {
    /// An error about a subject, with the name that the client uses for it.
    func aboutSubject(_ error: FieldError) -> FieldError
}

/// Reads the fields of an action. A missing field is an error unless a method says otherwise.
struct ModerationReader {
    let source: any ModerationSource

    func player(_ field: ModerationField = .player) throws(FieldError) -> Player.ID {
        let name = field.name
        guard let id = try source.integer(name), (1...Limits.playerIDMax).contains(id) else {
            throw FieldError(name, "\(name) is missing or not a player id. Send the player's number.")
        }
        return Player.ID(rawValue: id)
    }

    func team() throws(FieldError) -> Team.ID {
        guard let id = try source.integer("team"), (1...Limits.playerIDMax).contains(id) else {
            throw FieldError("team", "team is missing or not a team's id. Send its number.")
        }
        return Team.ID(rawValue: id)
    }

    func id(_ field: ModerationField) throws(FieldError) -> UUID {
        let name = field.name
        guard let text = try source.text(name) else {
            throw FieldError(name, "\(name) is missing. Send the UUID under which it was recorded.")
        }
        guard text.utf8.count == 36, let id = UUID(uuidString: text) else {
            throw FieldError(name, "\(name) is not a UUID. Send the one under which it was recorded.")
        }
        return id
    }

    func slug(_ field: ModerationField) throws(FieldError) -> Slug {
        let name = field.name
        guard let text = try source.text(name), text.utf8.count <= 64, let slug = Slug(text) else {
            throw FieldError(name, "\(name) is missing or not a slug. Send the one in its address.")
        }
        return slug
    }

    /// - Returns: Whether it was sent and is true.
    func flag(_ field: ModerationField) throws(FieldError) -> Bool {
        if source.isAbsent(field.name) { return false }
        guard let flag = try source.boolean(field.name) else {
            throw FieldError(field.name, "\(field.name) is neither true nor false. Send one of them.")
        }
        return flag
    }

    func whole(_ field: ModerationField) throws(FieldError) -> Int64 {
        let name = field.name
        guard let number = try source.integer(name), case .whole(let range) = field.kind, range.contains(number) else {
            throw FieldError(name, "\(name) is missing or out of its range. Send a whole number.")
        }
        return number
    }

    func text(_ field: ModerationField) throws(FieldError) -> String {
        guard let text = try source.text(field.name) else {
            throw FieldError(field.name, "\(field.name) is missing. Send one.")
        }
        return text
    }
}
