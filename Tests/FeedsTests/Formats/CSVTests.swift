import TestDice
import Testing

@testable import Feeds

@Suite struct CSVTests {
    private func csv(_ names: [String]) -> String {
        let feed = Feed(
            title: "", path: "/x", names: ElementNames("a", "b"),
            columns: [Column("name", .text), Column("points", .integer)], rows: names.map { [.text($0), .integer(1)] })
        return String(decoding: feed.bytes(.csv, links: Samples.relative), as: UTF8.self)
    }

    @Test("a header row, CRLF, and quotes only where they are needed") func quotes() {
        #expect(csv([]) == "name,points\r\n")
        #expect(csv(["yarri"]) == "name,points\r\nyarri,1\r\n")
        #expect(csv(["a\"b"]) == "name,points\r\n\"a\"\"b\",1\r\n")
        #expect(csv(["a,b"]) == "name,points\r\n\"a,b\",1\r\n")
    }

    @Test("no value is an empty field, an empty text is a quoted one") func nothing() {
        #expect(csv([""]) == "name,points\r\n\"\",1\r\n")
        let feed = Feed(
            title: "", path: "/x", names: ElementNames("a", "b"), columns: [Column("a", .text), Column("b", .text)],
            rows: [[]])
        #expect(feed.bytes(.csv, links: Samples.relative) == Array("a,b\r\n,\r\n".utf8))
    }

    @Test(
        "what a spreadsheet would run is a text there, and programs can read it as it was",
        arguments: [
            ("=1+1", "'=1+1"), ("+A1", "'+A1"), ("-2", "'-2"), ("@x", "'@x"), ("=IMAGE(\"x\")", "'=IMAGE(\"x\")"),
            ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"), ("＝SUM(1)", "'＝SUM(1)"), ("＋1", "'＋1"), ("－1", "'－1"),
            ("\u{A0}＠SUM（1）", "\u{A0}'＠SUM（1）"), (" \t=IMAGE(\"x\")", " \t'=IMAGE(\"x\")"), ("\r=1", "\r'=1"),
            ("\"=1\"", "\"'=1\""), ("'=1", "''=1"), ("''=1", "'''=1"), ("a;=1", "a;'=1"),
            ("a; \"+1\";-2", "a; \"'+1\";'-2"), ("a\tb\t@c", "a\tb\t'@c"), ("a\n=1\r\n=2", "a\n'=1\r\n'=2"),
            ("==", "'=="), ("=;=", "'=;'="), (":;-)", ":;'-)"), ("a=b(c)", "a=b(c)"), ("a-b", "a-b"),
            ("you@home", "you@home"), ("'a", "'a"), ("(:", "(:"), ("１＋１", "１＋１"),
        ]) func formulas(text: String, written: String) throws
    {
        let field = try #require(CSVReader.rows(of: Array(csv([text]).utf8))?.last?.first)
        #expect(field.unicodeScalars.elementsEqual(written.unicodeScalars))
        #expect(CSVReader.plain(field).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test("no text begins a formula, and each can be read as it was", arguments: Dice.seeds(1...4)) func randomTexts(
        seed: UInt64
    ) throws {
        var dice = Dice(seed: seed)
        let alphabet = Array("=+-@＝；;\"' \t\r\n,a1".unicodeScalars)
        let texts = (0..<2_000).map { _ in
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...8, using: &dice) {
                text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &dice)])
            }
            return String(text)
        }
        let rows = try #require(CSVReader.rows(of: Array(csv(texts).utf8)))
        #expect(rows.count == texts.count + 1)
        let (ends, blanks) = (Set(";\t\r\n".unicodeScalars), Set(" \"".unicodeScalars))
        let signs = Set("=+-@＝".unicodeScalars)
        for (text, row) in zip(texts, rows.dropFirst()) {
            let plain = CSVReader.plain(row[0])
            #expect(plain.unicodeScalars.elementsEqual(text.unicodeScalars), "\(text.debugDescription)")
            for cell in row[0].unicodeScalars.split(whereSeparator: ends.contains) {
                let first = cell.first { !blanks.contains($0) }
                #expect(first.map(signs.contains) != true, "\(text.debugDescription)")
            }
        }
    }

    @Test("details and links are texts, and numbers stay numbers") func kinds() {
        let feed = Feed(
            title: "", path: "/x", names: ElementNames("a", "b"),
            columns: [Column("a", .text), Column("b", .link), Column("c", .integer), Column("d", .percent)],
            rows: [[.json("-5"), .link("=x"), .integer(-5), .tenths(-5)], [.json("\"-5\""), .none, .none, .none]])
        let written = String(decoding: feed.bytes(.csv, links: Samples.relative), as: UTF8.self)
        #expect(written == "a,b,c,d\r\n-5,\"'=x\",-5,-0.5\r\n\"\"\"'-5\"\"\",,,\r\n")
    }
}
