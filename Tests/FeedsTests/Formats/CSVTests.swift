import Testing

@testable import Feeds

@Suite struct CSVTests {
    private func csv(_ names: [String]) -> String {
        let feed = Feed(
            title: "",
            path: "/x",
            names: ElementNames("a", "b"),
            columns: [Column("name", .text), Column("points", .integer)],
            rows: names.map { [.text($0), .integer(1)] }
        )
        return String(decoding: feed.bytes(.csv, links: Samples.relative), as: UTF8.self)
    }

    @Test("a header row, CRLF, and quotes only where they are needed")
    func quotes() {
        #expect(csv([]) == "name,points\r\n")
        #expect(csv(["yarri"]) == "name,points\r\nyarri,1\r\n")
        #expect(csv(["a\"b"]) == "name,points\r\n\"a\"\"b\",1\r\n")
        #expect(csv(["a,b"]) == "name,points\r\n\"a,b\",1\r\n")
    }

    @Test("no value is an empty field, an empty text is a quoted one")
    func nothing() {
        #expect(csv([""]) == "name,points\r\n\"\",1\r\n")
        let feed = Feed(
            title: "",
            path: "/x",
            names: ElementNames("a", "b"),
            columns: [Column("a", .text), Column("b", .text)],
            rows: [[]]
        )
        #expect(feed.bytes(.csv, links: Samples.relative) == Array("a,b\r\n,\r\n".utf8))
    }

    @Test("what a spreadsheet would run is defused, nicknames are left alone")
    func formulas() {
        for formula in [
            "=HYPERLINK(\"x\")", "+cmd|' /C calc'!A0", "@SUM(1)", "-2+cmd|x", " \t=IMAGE(\"x\")", "＝SUM(1)",
            "\u{a0}＠SUM（1）",
        ] {
            #expect(CSVReader.rows(of: Array(csv([formula]).utf8))?.last?.first == "'" + formula)
        }
        for nickname in ["@home", "-_-", "+1", "=^.^=", "(:", "a=b(c)"] {
            #expect(CSVReader.rows(of: Array(csv([nickname]).utf8))?.last?.first == nickname)
        }
    }
}
