import TestDice
import Testing

@testable import TerminalGame

@Suite struct DrawingTests {
    private func plain(_ line: String) -> String { line.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

    @Test("an empty field shows the keys, and where the cursor is") func empty() {
        let lines = Drawing.lines(PlateGame(), cursor: Cursor()).map(plain)
        #expect(lines[0] == "20 s left   score 0")
        #expect(lines[3] == "│1       │  │2       │  │3       │  │4       │")
        #expect(lines[5] == "╭────────╮  ╔════════╗  ╭────────╮  ╭────────╮")
        #expect(lines[6] == "│q       │  ║w       ║  │e       │  │r       │")
    }

    @Test("through a whole game the field has one size, and shows each plate's worth") func played() throws {
        var dice = Dice(seed: 3)
        var game = PlateGame()
        var shown: Set<Character> = []
        while !game.isOver {
            game.pass(.milliseconds(40), &dice)
            if game.time > .seconds(10), let index = game.hooks.firstIndex(where: { $0?.state == .hangs }) {
                game.take(index)
            }
            let lines = Drawing.lines(game, cursor: Cursor()).map(plain)
            #expect(lines.count <= Drawing.rowsMin)
            #expect(lines.allSatisfy { $0.count <= Drawing.columnsMin })
            for (index, plate) in game.hooks.enumerated() {
                guard let plate, plate.state != .falls else { continue }
                let line = lines[3 + index / 4 * 3]
                let cell = String(Array(line)[(index % 4 * 12 + 1)..<(index % 4 * 12 + 9)])
                #expect(cell.first == Key.hooks[index])
                #expect(cell.contains("\(plate.worth)"))
                shown.formUnion(cell)
            }
        }
        #expect(shown.isSuperset(of: "+↓"))
    }
}
