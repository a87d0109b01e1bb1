import Domain
import TestDice
import Testing

@Suite struct TextLinesTests {
    @Test("LF, CR LF and CR each end a line, and a byte order mark is no part of the first one") func ends() throws {
        for end in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{FEFF}"] {
                let text = mark + ["a=1", "", "b=é\t2", "c"].joined(separator: end)
                #expect(try TextLines.read(Array(text.utf8)) == ["a=1", "", "b=é\t2", "c"])
                #expect(try TextLines.read(Array((text + end).utf8)) == ["a=1", "", "b=é\t2", "c"])
            }
        }
        #expect(try TextLines.read(Array("a\r\rb\r\n\nc\n\r".utf8)) == ["a", "", "b", "", "c", ""])
        #expect(try TextLines.read([]) == [])
        #expect(try TextLines.read(Array("\u{FEFF}".utf8)) == [])
    }

    @Test("a line that is no text is named") func unreadable() {
        let utf16 = Array("a=1\r\nb=2".utf16).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let cases: [([UInt8], Int)] = [
            ([0xFF, 0xFE] + utf16, 1), (utf16, 1), (Array("a\r\nb".utf8) + [0xE9], 2),
            (Array("a\n\n\u{1B}[1m".utf8), 3),
        ]
        for (bytes, number) in cases {
            let error = #expect(throws: TextLines.Unreadable.self) { try TextLines.read(bytes) }
            #expect(error?.number == number)
        }
    }

    @Test("what is joined by LF splits as it was", arguments: Dice.seeds(1...20)) func joined(seed: UInt64) {
        var dice = Dice(seed: seed)
        let bytes = (0..<200).map { _ in dice.pick([UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "x")]) }
        let lines = TextLines.split(bytes)
        #expect(lines.allSatisfy { !$0.contains(UInt8(ascii: "\r")) && !$0.contains(UInt8(ascii: "\n")) })
        #expect(lines.joined().count == bytes.count { $0 == UInt8(ascii: "x") })
        #expect(TextLines.split(lines.flatMap { $0 + [UInt8(ascii: "\n")] }) == lines)
    }
}
