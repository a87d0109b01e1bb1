import ArgumentParser
import Domain
import Testing

@testable import causeboard

@Suite struct ActCommandTests {
    private static func sample(_ kind: ModerationField.Kind) -> String {
        switch kind {
        case .player, .whole: "7"
        case .id: "0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00"
        case .slug, .text: "maze"
        case .flag: "true"
        case .instant: "2027-01-01T00:00:00Z"
        }
    }

    @Test("each action can be asked for on the command line, and --help says how", arguments: ModerationDescription.all)
    func actions(action: ModerationDescription) throws {
        let help = ActCommand.helpMessage(columns: 1_000)
        #expect(help.contains("\(action.title). \(action.meaning)"))
        var arguments = [action.word, "--reason", "a test"]
        for field in action.subjects + action.fields {
            let option = "--" + field.name.replacing("_", with: "-")
            if field.name != "act" { arguments.append(option) }
            if field.kind != .flag { arguments.append(Self.sample(field.kind)) }
            #expect(field.name == "act" || help.contains("  \(option)"), "\(option)")
        }
        _ = try ActCommand.parse(arguments)
    }

    @Test(
        "a missing option, or one that the action does not take, is refused by its name",
        arguments: [
            ("hide", "--player"), ("void --player 7 --donation x", "--donation"), ("hide --player x", "--player"),
            ("correct --player 7 --score 0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00 --points -5 --earned -1", "--earned"),
            ("void --player 7 --score 0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00 --held-only", "--held-only"),
            ("ban --player 7 --until tomorrow", "--until"), ("undo", "id of the action"), ("vanish", "void, correct"),
        ]) func refused(words: String, named: String)
    {
        let arguments = words.split(separator: " ").map(String.init) + ["--reason", "a test"]
        let error = #expect(throws: (any Error).self) { try ActCommand.parse(arguments) }
        if let error { #expect(ActCommand.message(for: error).contains(named), "\(error)") }
    }
}
