import TestXML
import Testing

@testable import Feeds

@Suite struct AtomTests {
    private func texts(_ name: String, _ feed: Feed, _ links: FeedLinks = Samples.links) throws -> [String] {
        try #require(XMLReader.texts(of: name, in: feed.bytes(.atom, links: links)))
    }

    @Test("feed and entries have what RFC 4287 asks for")
    func required() throws {
        let feed = Samples.topScores(names: ["yarri", "b"])
        let elements = try #require(XMLReader.elements(of: feed.bytes(.atom, links: Samples.links)))
        #expect(elements.first?.attributes["xmlns"] == "http://www.w3.org/2005/Atom")
        for (name, count) in [("id", 3), ("title", 3), ("updated", 3), ("content", 2), ("entry", 2), ("author", 1)] {
            #expect(elements.count { $0.name == name } == count, "\(name)")
        }
        let own = elements.first { $0.attributes["rel"] == "self" }
        #expect(own?.attributes["href"] == "https://scores.example.org/TopScores.atom")
        #expect(try texts("title", feed) == ["Top contributors", "1. yarri: 15", "2. b: 15"])
        #expect(try texts("content", feed).first == "rank 1, name yarri, points 15, reached at 2009-09-12T10:00:03Z")
    }

    @Test("an id is a tag that names the player, not the place or the server's address")
    func ids() throws {
        let feed = Samples.topScores(names: ["a", "b"])
        let ids = ["", "/700", "/701"].map { "tag:abc.causeboard.invalid,2026:/TopScores" + $0 }
        #expect(try texts("id", feed) == ids)
        #expect(try texts("id", feed, FeedLinks(tagAuthority: "ABC.causeboard.invalid<>")) == ids)
        #expect(
            try texts("id", Samples.board()).last
                == "tag:abc.causeboard.invalid,2026:/v1/games/default/boards/high-scores/top/701?window=week&limit=2"
        )
    }

    @Test("rows without a key count from 1, odd keys are percent-encoded")
    func oddKeys() throws {
        #expect(
            try texts("id", Samples.posts([("2009-09-12T10:00:03Z", "x", 1)])).last?.hasSuffix("/high_scores/1") == true
        )
        var feed = Samples.topScores(names: ["a"])
        feed.rows[0][2] = .text("50% é#")
        #expect(try texts("id", feed).last?.hasSuffix("/TopScores/50%25%20%C3%A9%23") == true)
    }

    @Test("a feed is as new as its newest row, an empty one as old as the epoch")
    func updated() throws {
        #expect(try texts("updated", Samples.topScores([])) == ["1970-01-01T00:00:00.000000Z"])
        let times = try texts(
            "updated",
            Samples.posts([("2009-09-12T10:00:01Z", "x", 2), ("2009-09-12T10:00:03Z", "y", 1)])
        )
        #expect(times == ["2009-09-12T10:00:03.000000Z", "2009-09-12T10:00:01.000000Z", "2009-09-12T10:00:03.000000Z"])
    }

    @Test("pages are linked")
    func pages() throws {
        let elements = try #require(XMLReader.elements(of: Samples.board().bytes(.atom, links: Samples.relative)))
        let next = elements.first { $0.attributes["rel"] == "next" }
        #expect(
            next?.attributes["href"] == "/v1/games/default/boards/high-scores/top.atom?window=week&limit=2&after=bmV4dA"
        )
        #expect(!elements.contains { $0.attributes["rel"] == "previous" })
    }
}
