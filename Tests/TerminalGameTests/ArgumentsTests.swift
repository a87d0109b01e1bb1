import Foundation
import Testing

@testable import TerminalGame

@Suite struct ArgumentsTests {
    @Test("without words it is the game of the demo on this machine") func nothing() throws {
        let arguments = try Arguments([])
        #expect(arguments.server.absoluteString == "http://127.0.0.1:8080")
        #expect((arguments.game, arguments.board) == ("default", "high-scores"))
        #expect(!arguments.asksForHelp)
    }

    @Test("each option is taken") func options() throws {
        let arguments = try Arguments(["--board", "lap", "--server", "https://a.example", "--game", "maze", "--help"])
        #expect(arguments.server.absoluteString == "https://a.example")
        #expect((arguments.game, arguments.board, arguments.asksForHelp) == ("maze", "lap", true))
    }

    @Test(
        "what cannot be understood is said",
        arguments: [
            (["--fast"], "--fast is unknown; --help lists what there is."), (["--game"], "--game needs a value."),
            (["--game", "--board", "lap"], "--game needs a value."),
            (["--server", "nowhere"], "nowhere is no address of a server, such as https://scores.example.org."),
        ]) func mistakes(words: [String], sentence: String)
    { #expect(throws: Arguments.Mistake(sentence: sentence)) { try Arguments(words) } }

    @Test("nothing that a server says is obeyed by the terminal") func printing() {
        #expect(printable("Ada\u{1B}[2J\n\u{202E}x\u{9B}31m") == "Ada [2J  x 31m")
        #expect(printable(String(repeating: "e\u{301}", count: 1_000)).unicodeScalars.count == 240)
        #expect(printable("Борис 👨‍👩‍👧 Ünal") == "Борис 👨‍👩‍👧 Ünal")
    }
}
