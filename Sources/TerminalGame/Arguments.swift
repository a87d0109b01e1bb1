import Foundation

/// What the command line says.
struct Arguments: Equatable {
    /// What cannot be understood, as a sentence.
    struct Mistake: Error, Equatable { let sentence: String }

    let server: URL
    private(set) var game = "default"
    private(set) var board = "high-scores"
    private(set) var asksForHelp = false

    /// - Parameter words: Without the program's name.
    init(_ words: some Sequence<String>) throws(Mistake) {
        var words = words.makeIterator()
        var address = "http://127.0.0.1:8080"
        while let word = words.next() {
            switch word {
            case "--server": address = try Self.value(of: word, words.next())
            case "--game": game = try Self.value(of: word, words.next())
            case "--board": board = try Self.value(of: word, words.next())
            case "--help", "-h": asksForHelp = true
            default: throw Mistake(sentence: "\(word) is unknown; --help lists what there is.")
            }
        }
        guard let server = URL(string: address), server.host != nil else {
            throw Mistake(sentence: "\(address) is no address of a server, such as https://scores.example.org.")
        }
        self.server = server
    }

    private static func value(of option: String, _ next: String?) throws(Mistake) -> String {
        guard let next, !next.isEmpty, !next.hasPrefix("--") else {
            throw Mistake(sentence: "\(option) needs a value.")
        }
        return next
    }

    static let help = """
        TerminalGame [--server URL] [--game SLUG] [--board SLUG]

        Hang the plates: a game of twenty seconds in a terminal, whose points go to charity.

          --server URL   the Causeboard server (http://127.0.0.1:8080)
          --game SLUG    the game on it (default)
          --board SLUG   the game's board (high-scores)

        Take each plate before it drops: by the key that is shown on it, or by arrows and space. Ctrl-C ends the game.
        Between games, f shows the board among your friends, and adds friends by a code.
        Without a network, posts wait on this device and are sent later.
        """
}
