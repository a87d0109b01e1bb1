import CauseboardClient
import Foundation

/// A game in a terminal, as the library's documentation explains it: see `TerminalGame.md`.
@main struct Program {
    static func main() async {
        do throws(Arguments.Mistake) {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            if arguments.asksForHelp { return print(Arguments.help) }
            guard let terminal = Terminal() else {
                throw Arguments.Mistake(sentence: "This game needs a terminal to be played in; --help needs none.")
            }
            if let size = terminal.size, size.columns < Drawing.columnsMin || size.rows < Drawing.rowsMin {
                let (columns, rows) = (Drawing.columnsMin, Drawing.rowsMin)
                throw Arguments.Mistake(sentence: "The terminal needs \(columns) columns and \(rows) rows.")
            }
            do throws(CauseboardError) { try await GameSession(arguments, terminal).run() } catch {
                end(error.sentence, status: 1)
            }
        } catch { end(error.sentence, status: 2) }
    }

    private static func end(_ sentence: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data((printable(sentence) + "\n").utf8))
        exit(status)
    }
}
