import TestDice
import Testing

@testable import TerminalGame

@Suite struct KeysTests {
    private func keys(_ text: String) -> [Key] {
        var reader = KeyReader()
        return reader.keys(text.utf8)
    }

    @Test("arrows come in both of their forms and with parameters, the hooks' keys in both cases") func known() {
        #expect(keys("\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[D") == [.up, .down, .right, .left])
        #expect(keys("1vQ \r\n") == [.hook(0), .hook(15), .hook(4), .take, .take, .take])
    }

    @Test("a sequence may be cut anywhere") func cut() {
        var reader = KeyReader()
        let keys = ["\u{1B}", "[", "A"].map { reader.keys($0.utf8) }
        #expect(keys == [[], [], [.up]])
    }

    @Test("what means nothing is skipped, and the next key is read") func skipped() {
        #expect(keys("\u{1B}[200~\u{1B}\u{1B}[3~é\u{7F}0pq") == [.hook(4)])
        #expect(keys("\u{1B}[" + String(repeating: "9;", count: 100_000) + "Zw") == [.hook(5)])
    }

    @Test("no bytes are too strange", arguments: Dice.seeds(1...20)) func strange(seed: UInt64) {
        var dice = Dice(seed: seed)
        var reader = KeyReader()
        var cursor = Cursor()
        for _ in 0..<10_000 {
            for key in reader.keys([UInt8.random(in: .min ... .max, using: &dice)]) {
                cursor.move(key)
                if case .hook(let index) = key { #expect((0..<16).contains(index)) }
            }
            #expect((0..<16).contains(cursor.index))
        }
    }

    @Test("the cursor stops at the edges") func edges() {
        var cursor = Cursor()
        for _ in 0..<9 { cursor.move(.up) }
        for _ in 0..<9 { cursor.move(.left) }
        #expect(cursor.index == 0)
        for _ in 0..<9 { cursor.move(.down) }
        #expect(cursor.index == 12)
        for _ in 0..<9 { cursor.move(.right) }
        #expect(cursor.index == 15)
    }
}
