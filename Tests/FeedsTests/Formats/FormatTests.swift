import Domain
import TestXML
import Testing

@testable import Feeds

@Suite struct FormatTests {
    @Test("each format has a suffix and a type of its own") func distinct() {
        #expect(FeedFormat.allCases.map(\.suffix) == ["xml", "json", "plist", "csv", "atom", "html"])
        #expect(Set(FeedFormat.allCases.map(\.mediaType)).count == 6)
        for format in FeedFormat.allCases { #expect(format.contentType.hasPrefix(format.mediaType)) }
        #expect(FeedFormat.xml.contentType == "application/xml; charset=utf-8")
        #expect(FeedFormat.csv.contentType == "text/csv; charset=utf-8; header=present")
        #expect(FeedFormat(rawValue: "exe") == nil)
    }

    @Test("the same feed has the same bytes, and they end with a line feed", arguments: FeedFormat.allCases)
    func deterministic(_ format: FeedFormat) {
        for feed in Samples.everyFeed {
            let bytes = feed.bytes(format, links: Samples.links)
            #expect(bytes == feed.bytes(format, links: Samples.links))
            #expect(bytes.last == 10)
        }
    }

    @Test(
        "rows that are too short or too long, and feeds without columns, are documents too",
        arguments: FeedFormat.allCases) func ragged(_ format: FeedFormat) throws
    {
        var feed = Samples.topScores(names: ["a", "b", "c"])
        feed.rows[0] = []
        feed.rows[1] += [.text("surplus")]
        feed.rows[2] = Array(feed.rows[2].prefix(4))
        let text = String(decoding: feed.bytes(format, links: Samples.links), as: UTF8.self)
        #expect(!text.contains("surplus"))
        feed.columns = []
        if format != .json, format != .csv {
            #expect(XMLReader.elements(of: feed.bytes(format, links: Samples.links)) != nil)
        }
    }

    @Test("every kind of value in every kind of column, with and without roles, is well-formed") func anyValueAnywhere()
    {
        let values: [Value] = [
            .integer(.min), .tenths(.min), .text("<"), .instant(.init(microsecondsSince1970: .max)), .boolean(true),
            .embeddedBase64(Array("QQ==".utf8)), .link("javascript:alert(1)"), .link("/a\"b"), .none,
        ]
        let kinds: [Column.Kind] = [.integer, .text, .instant, .boolean, .picture, .link, .percent]
        let roles: [Column.Role] = [.plain, .key, .rank, .title, .points, .moment]
        for kind in kinds {
            for role in roles {
                let feed = Feed(
                    title: "", path: "/x", names: ElementNames("rows", "row"),
                    columns: [Column("some_value", kind, role: role)], rows: values.map { [$0] })
                for format in [FeedFormat.xml, .plist, .atom, .html] {
                    let bytes = feed.bytes(format, links: Samples.links)
                    #expect(XMLReader.elements(of: bytes) != nil, "\(kind) \(role) \(format)")
                    #expect(!String(decoding: bytes, as: UTF8.self).contains("href=\"javascript"))
                }
                #expect(CSVReader.rows(of: feed.bytes(.csv, links: Samples.links))?.count == values.count + 1)
            }
        }
    }

    @Test(
        "a total of more than 64 bits and its progress have every digit",
        arguments: [FeedFormat.xml, .json, .plist, .csv]) func wide(_ format: FeedFormat)
    {
        let points = Int128(Int64.max) * 1_000
        let feed = Feed(
            title: "", path: "/x", names: ElementNames("rows", "row"),
            columns: [Column("points", .integer), Column("progress", .percent)],
            rows: [[.integer(points), .tenths(points * 1_000)]])
        let text = String(decoding: feed.bytes(format, links: Samples.links), as: UTF8.self)
        #expect(text.contains("9223372036854775807000"))
        #expect(text.contains("922337203685477580700000.0"))
    }

    @Test("classic readers, programs and people each see their columns") func audiences() {
        let feed = Samples.topScores(names: ["x"])
        func names(_ format: FeedFormat) -> [String] {
            feed.shown(in: format).map { feed.columns[$0].name.description }
        }
        #expect(names(.xml) == ["name", "image", "points"])
        #expect(names(.plist) == ["name", "image", "points"])
        #expect(names(.json) == ["rank", "tied", "player", "name", "image", "points", "reached_at", "avatar"])
        #expect(names(.csv) == names(.json))
        #expect(names(.html) == ["rank", "name", "image", "points", "reached_at"])
    }
}
