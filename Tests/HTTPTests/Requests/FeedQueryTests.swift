import Credentials
import Domain
import HTTPTypes
import NIOCore
import Storage
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct FeedQueryTests {
    private let secret: Secret

    init() throws { secret = try #require(Secret(hex: String(repeating: "5eed", count: 16))) }

    private func query(_ text: String, _ shape: FeedQuery.Shape = .board) throws -> FeedQuery {
        try FeedQuery(
            Request(method: .get, target: "/x?" + text, headers: RequestHeaders(), body: ByteBuffer()), shape, secret)
    }

    @Test("unknown parameters name no feed of their own") func unknown() throws {
        let plain = try query("limit=10&window=week")
        #expect(plain.canonical == "limit=10&window=week" && plain.isPlain)
        for text in ["limit=10&window=week&x=1", "x=2&window=week&limit=10", "limit=3&limit=10&window=week"] {
            let query = try query(text)
            #expect(query.canonical == plain.canonical && query.page == plain.page, "\(text)")
            #expect(!query.isPlain, "\(text)")
        }
        #expect(try query("window=week&limit=10").isPlain, "the order is the client's")
        #expect(try !query("limit=1%30").isPlain)
    }

    @Test("every parameter is known by its own name, and by no other") func names() {
        let names: [(String, FeedQuery.Keys)] = [
            ("after", .after), ("before", .before), ("charity", .charity), ("from", .from), ("image", .image),
            ("limit", .limit), ("players", .players), ("points", .points), ("season", .season), ("window", .window),
        ]
        for (name, key) in names {
            #expect(FeedQuery.Keys(name: name) == key && key.names == [name])
            #expect(FeedQuery.Keys(name: name + "s") == nil && FeedQuery.Keys(name: name.uppercased()) == nil)
        }
        #expect(FeedQuery.Keys.page.names == ["after", "before", "from", "players"])
        #expect(throws: Problem.twoPages("from")) { try query("players=1&from=1") }
    }

    @Test("a cursor is opened before it enters a page's name") func cursors() throws {
        let sortKey = SortKey(orderKey: 5, reachedAt: Instant(microsecondsSince1970: 5), row: 5)
        let cursor = RankingCursor(board: nil, window: "all", days: nil, sortKey: sortKey)
        let text = try #require(secret.cursor(cursor.bytes))
        #expect(try query("after=\(text)").page == "after=\(text)")
        #expect(try query("after=\(text)").selection == .after(cursor.bytes))
        for forged in ["x", "", text + "A", String(text.dropLast()), String(repeating: "A", count: 8_000)] {
            for field in ["after", "before"] {
                #expect(throws: Problem.badCursor(field)) { try query("\(field)=\(forged)") }
            }
        }
    }

    @Test(
        "a hostile text in any parameter is refused",
        arguments: ["limit", "season", "from", "after", "before", "players", "window"]) func hostile(name: String)
    {
        for start in ["", "all", "1", "2026-11"] {
            let marks = start + String(repeating: "%CC%81%CC%A3", count: 600)
            #expect(throws: Problem.self) { try query("\(name)=\(marks)") }
        }
    }

    @Test("a hostile picture mode, slug or number of points is refused") func otherShapes() {
        let marks = String(repeating: "%CC%81%CC%A3", count: 600)
        for text in ["image=embed\(marks)", "image=\(marks)", "charity=\(marks)"] {
            #expect(throws: Problem.self) { try query(text, .topScores) }
        }
        #expect(throws: Problem.badPoints) { try query("points=1\(marks)", .points) }
    }
}

@Suite struct QueryParametersTests {
    @Test("values are percent-decoded, and of two the last counts") func values() throws {
        let query = try QueryParameters("/x?a=1&b=%C3%A9%20x&a=2")
        #expect(query["a"] == "2")
        #expect(query["b"] == "é x")
        #expect(query["c"] == nil)
        #expect(query.all.map(\.name) == ["a", "b", "a"])
    }

    @Test("what is no UTF-8 or no escape stays as it was sent") func stray() throws {
        #expect(try QueryParameters("/x?a=%FF")["a"] == "%FF")
        #expect(try QueryParameters("/x?a=100%")["a"] == "100%")
        #expect(try QueryParameters("/x?a=1=2#b=3")["a"] == "1=2")
        #expect(try QueryParameters("http://host/x?a=1")["a"] == "1")
    }

    @Test(
        "a target with a host, a fragment, an escape, an empty part or a part without a value is not plain",
        arguments: [
            ("/x", true), ("/x?a=1", true), ("/x?a=1&b=2", true), ("/x?a=%31", false), ("/x?a=1+", false),
            ("/x?a=1&", false), ("/x?a", false), ("/x?=1", false), ("/x?a=1&&b=2", false), ("/x?a=1#b", false),
            ("http://host/x?a=1", false),
        ]) func plain(target: String, isPlain: Bool) throws
    { #expect(try QueryParameters(target).isPlain == isPlain) }
}
