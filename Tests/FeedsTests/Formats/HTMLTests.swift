import TestXML
import Testing

@testable import Feeds

@Suite struct HTMLTests {
    private func elements(_ feed: Feed, _ links: FeedLinks = Samples.relative) throws -> [XMLReader.Element] {
        try #require(XMLReader.elements(of: feed.bytes(.html, links: links)))
    }

    @Test("the page says what it is, in which language, and has a table with headers") func semantics() throws {
        let page = try elements(Samples.board())
        #expect(page.first?.attributes["lang"] == "en")
        #expect(page.first { $0.name == "title" }?.text == "High scores & more")
        #expect(
            page.filter { $0.attributes["scope"] == "col" }.map(\.text) == [
                "Rank", "Name", "Points", "Reached at (UTC)",
            ])
        #expect(page.filter { $0.attributes["scope"] == "row" }.count == 2)
        #expect(page.first { $0.name == "caption" }?.text.contains("2 of 300") == true)
        #expect(!page.contains { $0.name == "script" })
        #expect(page.filter { $0.name == "td" && $0.attributes["class"] == "n" }.map(\.text) == ["1", "15", "2", "14"])
    }

    @Test("nobody yet is a sentence, not an empty table") func nobody() throws {
        let page = try elements(Samples.topScores([]))
        #expect(page.contains { $0.text == "Nobody yet." })
        #expect(!page.contains { $0.name == "table" })
    }

    @Test("pictures are 40x40 with an empty alternative text: embedded, linked, or a square in their place")
    func pictures() throws {
        var feed = Samples.topScores([
            .init(name: "a", image: .embeddedBase64(Array("QQ==".utf8))), .init(name: "b", image: .link("/x.png")),
            .init(name: "c"),
        ])
        var images = try elements(feed, Samples.links).filter { $0.name == "img" }
        #expect(
            images.map { $0.attributes["src"] } == ["data:image/png;base64,QQ==", "https://scores.example.org/x.png"])
        #expect(
            images.allSatisfy {
                $0.attributes["alt"] == "" && $0.attributes["width"] == "40" && $0.attributes["height"] == "40"
            })
        #expect(try elements(feed).count { $0.name == "span" && $0.attributes["class"] == "face" } == 1)
        feed.rows[0][4] = .link("//evil.example/x.png")
        images = try elements(feed).filter { $0.name == "img" }
        #expect(images.count == 1)
    }

    @Test("the other formats and the neighbouring pages are linked") func navigation() throws {
        var feed = Samples.board()
        feed.head?.prev = "cHJldg"
        let anchors = try elements(feed).filter { $0.name == "a" }
        #expect(anchors.map(\.text) == ["Previous", "Next", "XML", "JSON", "plist", "CSV", "Atom"])
        #expect(anchors.first?.attributes["href"]?.hasSuffix("/top.html?window=week&limit=2&before=cHJldg") == true)
        #expect(anchors.last?.attributes["href"]?.hasSuffix("/top.atom?window=week&limit=2") == true)
    }

    @Test("only links a browser may follow become links") func links() throws {
        let addresses = [
            "https://a.example/", "HTTP://a.example/", "/charity", "javascript:alert(1)", "//a.example", "/\\a.example",
            "data:x", "",
        ]
        let feed = Feed(
            title: "", path: "/x", names: ElementNames("a", "b"), columns: [Column("url", .link)],
            rows: addresses.map { [.link($0)] })
        let followed = try elements(feed).filter { $0.name == "a" && $0.attributes["rel"] != nil }
        #expect(followed.map { $0.attributes["href"] } == ["https://a.example/", "HTTP://a.example/", "/charity"])
    }

    @Test("progress is a bar beside its number, and never over-full") func progress() throws {
        let feed = Feed(
            title: "Charities", path: "/v1/charities", names: ElementNames("charities", "charity"),
            columns: [Column("name", .text, role: .title), Column("progress", .percent)],
            rows: [
                [.text("a"), .tenths(975)], [.text("b"), .tenths(2_000)], [.text("c"), .tenths(-1)],
                [.text("d"), .none],
            ])
        let page = try elements(feed)
        #expect(page.filter { $0.name == "progress" }.map { $0.attributes["value"] } == ["975", "1000", "0"])
        #expect(page.filter { $0.name == "td" }.map(\.text) == ["97.5%", "200.0%", "-0.1%", ""])
    }

    @Test("the style is on the page to the byte, so that a policy can name its hash") func style() throws {
        #expect(try elements(Samples.board()).first { $0.name == "style" }?.text == Feed.pageStyle.description)
    }
}
