import ArgumentParser
import Domain

/// Carries out the moderation actions that ``ModerationDescription`` describes. Each property for one of their fields
/// has the field's name in camel case.
struct ActCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act",
        abstract: "Put something right: each action needs a reason, is logged, and can be undone unless it says so.",
        discussion: """
            An action shows at once in every ranking, page and total. Ledgers keep every row: what is voided stays \
            readable for its player, who is told that it counts no longer.

            ACTIONS:
            """ + ModerationDescription.all.map { "\n  \($0.usage)\n    \($0.title). \($0.meaning)" }.joined())

    @Argument(help: "The action: see above.", completion: .list(ModerationDescription.words)) var word: String
    @Argument(help: ArgumentHelp(ModerationField.act.help)) var act: String?
    @Option(.player) var player: String?
    @Option(.score) var score: String?
    @Option(.donation) var donation: String?
    @Option(.item) var item: String?
    @Option(.game) var game: String?
    @Option(.board) var board: String?
    @Flag(help: ArgumentHelp(ModerationField.heldOnly.help)) var heldOnly = false
    @Option(.points) var points: String?
    @Option(.earned) var earned: String?
    @Flag(help: ArgumentHelp(ModerationField.void.help)) var void = false
    @Option(.until) var until: String?
    @Option(.name) var name: String?
    @Option(.into) var into: String?
    @Option(.confirm) var confirm: String?
    @OptionGroup var action: ActOptions

    func validate() throws {
        do { _ = try kind() } catch {
            // These two are arguments, not options.
            let names = ["do": "The action", "act": ModerationField.act.label]
            guard let name = names[error.field] else { throw ValidationError(error.asOption) }
            throw ValidationError(name + error.description.dropFirst(error.field.count))
        }
    }

    func run() async throws { try await action.perform(kind()) }

    private func kind() throws(FieldError) -> ModerationKind {
        try ModerationDescription.kind(word, OptionTexts(of: self, known: Set(ModerationField.all.map(\.name))))
    }
}

extension ModerationDescription {
    /// The words after `causeboard act`.
    fileprivate var usage: String {
        ([word] + (subjects + fields).map { $0.isOptional ? "[\($0.usage)]" : $0.usage }).joined(separator: " ")
    }
}

extension ModerationField {
    fileprivate var option: String { name.replacing("_", with: "-") }

    fileprivate var help: String { "\(label)." + (hint.map { " \($0)" } ?? "") }

    fileprivate var usage: String {
        switch (name, kind) {
        case ("act", _): "<id>"
        case (_, .flag): "--\(option)"
        default: "--\(option) <\(valueName)>"
        }
    }

    fileprivate var valueName: String {
        switch kind {
        case .player, .id: "id"
        case .slug: "slug"
        case .whole, .flag: "number"
        case .instant: "time"
        case .text: "text"
        }
    }
}

extension Option<String?> {
    /// The option of a field of an action.
    fileprivate init(_ field: ModerationField) {
        self.init(
            name: .customLong(field.option), parsing: .unconditional,
            help: ArgumentHelp(field.help, valueName: field.valueName))
    }
}
