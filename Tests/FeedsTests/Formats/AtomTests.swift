import Domain
import TestXML
import Testing

@testable import Feeds

@Suite struct AtomTests {
    private func texts(_ name: String, _ feed: Feed, _ links: FeedLinks = Samples.links) throws -> [String] {
        try #require(XMLReader.texts(of: name, in: feed.bytes(.atom, links: links)))
    }

    @Test("feed and entries have what RFC 4287 asks for") func required() throws {
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

    @Test("an id is a tag that names the player, not the place or the server's address") func ids() throws {
        let feed = Samples.topScores(names: ["a", "b"])
        let ids = ["", "/700", "/701"].map { "tag:abc.causeboard.invalid,2026:/TopScores" + $0 }
        #expect(try texts("id", feed) == ids)
        #expect(try texts("id", feed, FeedLinks(tagAuthority: "ABC.causeboard.invalid<>")) == ids)
        #expect(
            try texts("id", Samples.board()).last
                == "tag:abc.causeboard.invalid,2026:/v1/games/default/boards/high-scores/top/701?window=week&limit=2")
    }

    @Test("a row without a key keeps its id whatever comes before it, and the id says nothing") func entries() throws {
        let links = FeedLinks(entryKey: { "\(Array($0.utf8).reduce(5381 as UInt64) { $0 &* 33 ^ UInt64($1) })" })
        func donation(_ points: Int64, by player: Int64?, entry: String) -> PublicDonation {
            PublicDonation(
                player: player.map(Player.ID.init), name: "Ada", avatar: nil, charity: "wells", charityName: "Wells",
                points: points, reachedAt: Samples.instant("2026-11-16T00:00:00Z"), entry: entry)
        }
        let before = [donation(5, by: 7, entry: "7 cafe"), donation(5, by: nil, entry: "-4711")]
        let after = [donation(5, by: nil, entry: "-4712")] + before
        let ids = try [before, after].map { Array(try texts("id", .donations($0, path: "/v1/donations"), links)[1...]) }
        #expect(Array(ids[1][1...]) == ids[0] && Set(ids[1]).count == 3)
        #expect(ids[1].allSatisfy { !$0.contains("cafe") && !$0.contains("471") })
        // The same row of two feeds is not found again by its id.
        let other = try texts("id", .donations(before, path: "/v1/charities/wells/donations"), links)
        #expect(other.last?.split(separator: "/").last != ids[0].last?.split(separator: "/").last)

        let posts = ["7 a", "7 b"].map {
            BestPost(name: "x", points: 1, reachedAt: Samples.instant("2026-11-16T00:00:00Z"), entry: $0)
        }
        let scores = try [posts, Array(posts.reversed())].map {
            Set(try texts("id", .highScores($0, path: "/high_scores", ties: .shared), links))
        }
        #expect(scores[0] == scores[1] && scores[0].count == 3)
    }

    @Test("no format shows what identifies a row without a key") func secretEntries() throws {
        let posts = [
            BestPost(name: "x", points: 1, reachedAt: Samples.instant("2026-11-16T00:00:00Z"), entry: "secret-entry")
        ]
        for format in FeedFormat.allCases {
            let bytes = Feed.highScores(posts, path: "/high_scores", ties: .shared).bytes(format, links: FeedLinks())
            #expect(!String(decoding: bytes, as: UTF8.self).contains("secret-entry"), "\(format)")
        }
    }

    @Test("odd keys are percent-encoded") func oddKeys() throws {
        var feed = Samples.topScores(names: ["a"])
        feed.rows[0][2] = .text("50% é#")
        #expect(try texts("id", feed).last?.hasSuffix("/TopScores/50%25%20%C3%A9%23") == true)
    }

    @Test("a feed is as new as its newest row, an empty one as old as the epoch") func updated() throws {
        #expect(try texts("updated", Samples.topScores([])) == ["1970-01-01T00:00:00.000000Z"])
        let times = try texts(
            "updated", Samples.posts([("2009-09-12T10:00:01Z", "x", 2), ("2009-09-12T10:00:03Z", "y", 1)]))
        #expect(times == ["2009-09-12T10:00:03.000000Z", "2009-09-12T10:00:01.000000Z", "2009-09-12T10:00:03.000000Z"])
    }

    @Test("pages are linked") func pages() throws {
        let elements = try #require(XMLReader.elements(of: Samples.board().bytes(.atom, links: Samples.relative)))
        let next = elements.first { $0.attributes["rel"] == "next" }
        #expect(
            next?.attributes["href"] == "/v1/games/default/boards/high-scores/top.atom?window=week&limit=2&after=bmV4dA"
        )
        #expect(!elements.contains { $0.attributes["rel"] == "previous" })
    }
}
