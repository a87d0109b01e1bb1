import Foundation
import Testing

@testable import Feeds

@Suite struct PlistTests {
    @Test("Foundation reads every kind of value back") func kinds() throws {
        let values: [(Column.Kind, Value)] = [
            (.integer, .integer(Int128(Int64.max))), (.integer, .tenths(975)), (.text, .text("a<b")),
            (.instant, .instant(Samples.instant("2009-09-12T10:00:03Z"))), (.boolean, .boolean(true)),
            (.picture, .embeddedBase64(Array("QQ==".utf8))), (.link, .link("/x")), (.text, .none), (.picture, .none),
        ]
        let names: [StaticString] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
        let feed = Feed(
            title: "", path: "/x", names: ElementNames("rows", "row"),
            columns: zip(names, values).map { Column($0, $1.0) }, rows: [values.map(\.1)])
        let bytes = feed.bytes(.plist, links: Samples.relative)
        let rows = try #require(
            try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [[String: Any]])
        let row = try #require(rows.first)
        #expect(row["a"] as? Int64 == .max)
        #expect(row["b"] as? Double == 97.5)
        #expect(row["c"] as? String == "a<b")
        #expect((row["d"] as? Date)?.timeIntervalSince1970 == 1_252_749_603)
        #expect(row["e"] as? Bool == true)
        #expect(row["f"] as? String == "QQ==")
        #expect(row["g"] as? String == "/x")
        #expect(row["h"] == nil)
        #expect(row["i"] as? String == "")
    }

    @Test("a number of more than 64 bits is real, so that Foundation reads the rest of the list") func wide() throws {
        let (most, least) = (Int128(Int64.max), Int128(Int64.min))
        let numbers: [Int128] = [most, most + 1, least, least - 1, .max]
        let feed = Feed(
            title: "", path: "/x", names: ElementNames("rows", "row"), columns: [Column("points", .integer)],
            rows: numbers.map { [.integer($0)] })
        let bytes = feed.bytes(.plist, links: Samples.relative)
        let rows = try #require(
            try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [[String: Any]])
        #expect(rows.count == numbers.count)
        #expect(rows[0]["points"] as? Int64 == .max)
        #expect(rows[1]["points"] as? Double == 0x1p63)
        #expect(rows[2]["points"] as? Int64 == .min)
        #expect(rows[3]["points"] as? Double == -0x1p63)
        #expect(rows[4]["points"] as? Double == 0x1p127)
    }
}
