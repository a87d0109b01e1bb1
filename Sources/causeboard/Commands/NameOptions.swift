import ArgumentParser
import Domain
import FoundationEssentials

/// What a game does with names and e-mail addresses.
struct NameOptions: ParsableArguments {
    @Option(help: "Names of players: open, filtered (by --refused-words) or approved (one by one).") var names:
        NameRules?
    @Option(
        help: ArgumentHelp(
            "A file with the words that no name may contain, a line each, in place of those before.", valueName: "file")
    ) var refusedWords: String?
    @Option(help: "Whether e-mail addresses that players leave are kept: on or off.") var email: OnOrOff?

    func settings() throws -> NameSettings {
        NameSettings(rules: names, refusedWords: try refusedWords.map(Self.words), takesEmail: email.map { $0 == .on })
    }

    static func words(in path: String) throws -> [RefusedWord] {
        let lines = try TextFile.lines(
            path, orSay: "--refused-words: the file \(path) cannot be read. Name another one."
        ).map { TextFile.trimmed($0[...]) }
        let words = try lines.filter { !$0.isEmpty }.map { line in
            guard let word = RefusedWord(line) else {
                throw CommandError("--refused-words: a word is \(RefusedWord.rule), and \"\(line.prefix(40))\" is not.")
            }
            return word
        }
        guard words.count <= Limits.refusedWordsMax else {
            throw CommandError("--refused-words: a game refuses at most \(Limits.refusedWordsMax) words.")
        }
        return words
    }
}

/// A setting that is on or off.
enum OnOrOff: String, CaseIterable, ExpressibleByArgument { case on, off }

extension NameRules: ExpressibleByArgument {}
