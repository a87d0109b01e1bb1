import ArgumentParser
import Domain

/// Carries out the moderation actions that ``ModerationDescription`` describes.
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
    @OptionGroup var fields: ModerationOptions
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
        var texts = fields.texts
        texts[ModerationField.act.name] = act
        return try ModerationDescription.kind(word, OptionTexts(texts))
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

/// The fields of all actions, except the one that is an argument.
struct ModerationOptions: ListedOptions {
    static var declared: [(name: String, option: ListedOption)] {
        ModerationField.all.filter { $0.name != ModerationField.act.name }.map { field in
            let (spelling, help) = (NameSpecification.customLong(field.option), field.help)
            let option: ListedOption =
                if field.kind == .flag {
                    .flag(Flag(wrappedValue: false, name: spelling, help: ArgumentHelp(help)))
                } else {
                    .text(
                        Option(
                            name: spelling, parsing: .unconditional,
                            help: ArgumentHelp(help, valueName: field.valueName)))
                }
            return (field.name, option)
        }
    }

    var options = Self.undecoded
}
