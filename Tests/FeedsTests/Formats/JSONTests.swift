import Testing

@testable import Feeds

@Suite struct JSONTests {
    private func json(_ feed: Feed, _ links: FeedLinks = Samples.relative) -> String {
        String(decoding: feed.bytes(.json, links: links), as: UTF8.self)
    }

    @Test("a board's top has the envelope and the rows of the contract") func board() {
        var feed = Samples.board()
        feed.rows = [feed.rows[0]]
        #expect(
            json(feed) == """
                {"board":"high-scores","window":"week","from":"2026-11-16T00:00:00.000000Z",\
                "until":"2026-11-23T00:00:00.000000Z","zone":"UTC","final":false,"ties":"shared","of":300,\
                "rows":[{"rank":1,"tied":false,"player":700,"name":"yarri","points":15,\
                "reached_at":"2009-09-12T10:00:03.000250Z","avatar":"/v1/avatars/00.png"}],"next":"bmV4dA"}

                """)
    }

    @Test("without a head JSON is a bare list") func bare() {
        #expect(json(Samples.posts([])) == "[]\n")
        #expect(
            json(Samples.posts([("2009-09-12T10:00:03Z", "x", 1)]))
                == "[{\"created_at\":\"2009-09-12T10:00:03.000000Z\",\"player_name\":\"x\",\"total_score\":1}]\n")
    }

    @Test("an empty head leaves every key out but the rows") func emptyHead() {
        var feed = Samples.posts([])
        feed.head = Head()
        #expect(json(feed) == "{\"rows\":[]}\n")
    }

    @Test("links are absolute when the public address is known") func links() {
        #expect(
            json(Samples.board(), Samples.links).contains("\"avatar\":\"https://scores.example.org/v1/avatars/00.png\"")
        )
    }

    @Test("a record is an object under its name") func record() {
        let document = Document(
            "customer", [Field("id", .integer(1)), Field("send_updates", .boolean(true)), Field("left", .none)])
        #expect(document.json(links: Samples.links) == Array("{\"customer\":{\"id\":1,\"send_updates\":true}}\n".utf8))
        #expect(Document("x", []).json(links: Samples.links) == Array("{\"x\":{}}\n".utf8))
        #expect(Document("x", []).xml(links: Samples.links).suffix(5) == Array("<x/>\n".utf8))
        #expect(ErrorsDocument([]).json() == Array("{\"errors\":[]}\n".utf8))
        #expect(ErrorsDocument([]).xml().suffix(10) == Array("<errors/>\n".utf8))
    }
}
