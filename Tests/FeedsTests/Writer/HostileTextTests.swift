import Foundation
import TestXML
import Testing

@testable import Feeds

/// Every document is well-formed for every name, and contains the name without the characters that its format cannot
/// hold.
@Suite struct HostileTextTests {
    @Test("a hostile name arrives in XML, plist, Atom and HTML", arguments: Samples.hostileNames) func markup(
        _ name: String
    ) throws {
        let expected = Self.inXML(name)
        let feed = Samples.topScores(names: [name])
        #expect(XMLReader.texts(of: "name", in: feed.bytes(.xml, links: Samples.links)) == [expected])
        #expect(XMLReader.texts(of: "string", in: feed.bytes(.plist, links: Samples.links)) == [expected, ""])
        #expect(XMLReader.texts(of: "title", in: feed.bytes(.atom, links: Samples.links))?.last == "1. \(expected): 15")
        #expect(XMLReader.texts(of: "bdi", in: feed.bytes(.html, links: Samples.links)) == [expected])
    }

    @Test("a hostile title, window and cursor do no harm in any format", arguments: Samples.hostileNames)
    func everywhereElse(_ text: String) throws {
        var feed = Samples.board()
        feed.title = text
        feed.path = "/" + text
        feed.query = text
        feed.head = Head(board: text, window: text, zone: text, ties: text, of: .min, next: text, prev: text)
        feed.rows = [
            [.text(text), .text(text), .text(text), .text(text), .link(text), .text(text), .text(text), .link(text)]
        ]
        for format in [FeedFormat.xml, .plist, .atom, .html] {
            #expect(XMLReader.elements(of: feed.bytes(format, links: Samples.relative)) != nil, "\(format)")
        }
        let json =
            try JSONSerialization.jsonObject(with: Data(feed.bytes(.json, links: Samples.relative))) as? [String: Any]
        #expect((json?["next"] as? String)?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
        #expect(CSVReader.rows(of: feed.bytes(.csv, links: Samples.relative))?.count == 2)
    }

    @Test("a hostile name arrives in JSON exactly", arguments: Samples.hostileNames) func json(_ name: String) throws {
        let bytes = Samples.topScores(names: [name]).bytes(.json, links: Samples.links)
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]])
        #expect((rows.first?["name"] as? String)?.unicodeScalars.elementsEqual(name.unicodeScalars) == true)
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
        #expect(!text.contains { "<>&\u{2028}\u{2029}".unicodeScalars.contains($0) })
        #expect(!text.dropLast().contains { $0.value < 32 })
    }

    @Test("a hostile name arrives in CSV", arguments: Samples.hostileNames) func csv(_ name: String) throws {
        let rows = try #require(CSVReader.rows(of: Samples.topScores(names: [name]).bytes(.csv, links: Samples.links)))
        let expected = Self.mapping(name) { $0 < 32 && ![9, 10, 13].contains($0) }
        #expect(rows.map(\.count) == [8, 8])
        let plain = CSVReader.plain(rows.last?[3] ?? "")
        #expect(plain.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test("a hostile detail nests in JSON, and is JSON text in the other formats", arguments: Samples.hostileNames)
    func details(_ text: String) throws {
        let json = String(decoding: try JSONSerialization.data(withJSONObject: [text: ["a", text]]), as: UTF8.self)
        var feed = Samples.topScores(names: ["Ada"])
        feed.columns.append(Column("detail", .text, for: .data))
        feed.rows[0].append(.json(json))
        let bytes = feed.bytes(.json, links: Samples.links)
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]])
        let members = try #require(rows.first?["detail"] as? [String: [String]])
        #expect(members.count == 1 && members.values.first?.first == "a")
        #expect(Self.sameScalars(members.map(\.key) + (members.values.first?.dropFirst() ?? []), [text, text]))
        #expect(
            !String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
                "<>&\u{7F}\u{2028}\u{2029}".unicodeScalars.contains($0)
            })
        let expected = Self.inXML(json)
        #expect(XMLReader.texts(of: "detail", in: feed.bytes(.xml, links: Samples.links)) == [expected])
        #expect(XMLReader.texts(of: "string", in: feed.bytes(.plist, links: Samples.links))?.last == expected)
        #expect(XMLReader.elements(of: feed.bytes(.atom, links: Samples.links)) != nil)
        let page = feed.bytes(.html, links: Samples.links)
        #expect(XMLReader.texts(of: "bdi", in: page) == ["Ada"])
        let table = try #require(CSVReader.rows(of: feed.bytes(.csv, links: Samples.links)))
        let plain = CSVReader.plain(table.last?.last ?? "")
        #expect(plain.unicodeScalars.elementsEqual(json.unicodeScalars))
    }

    @Test("errors and records are well-formed", arguments: Samples.hostileNames) func documents(_ text: String) throws {
        let expected = Self.inXML(text)
        #expect(XMLReader.texts(of: "error", in: ErrorsDocument([text, text]).xml()) == [expected, expected])
        let document = Document("customer", [Field("name", .text(text))])
        #expect(XMLReader.texts(of: "name", in: document.xml(links: Samples.links)) == [expected])
        let json =
            try JSONSerialization.jsonObject(with: Data(document.json(links: Samples.links)))
            as? [String: [String: String]]
        #expect(json?["customer"]?["name"]?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
        let errors =
            try JSONSerialization.jsonObject(with: Data(ErrorsDocument([text, "b"]).json())) as? [String: [String]]
        #expect(errors?["errors"]?.first?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
    }

    @Test("every Unicode scalar leaves every document well-formed and arrives unless the format forbids it")
    func everyScalar() throws {
        let scalars = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
        let names = stride(from: 0, to: scalars.count, by: 4_096).map { start in
            String(String.UnicodeScalarView(scalars[start..<min(start + 4_096, scalars.count)]))
        }
        let feed = Samples.topScores(names: names)
        let expected = names.map(Self.inXML)
        for (format, element) in [(FeedFormat.xml, "name"), (.html, "bdi")] {
            let texts = try #require(XMLReader.texts(of: element, in: feed.bytes(format, links: Samples.links)))
            #expect(Self.sameScalars(texts, expected), "\(format)")
        }
        #expect(XMLReader.elements(of: feed.bytes(.plist, links: Samples.links)) != nil)
        #expect(XMLReader.elements(of: feed.bytes(.atom, links: Samples.links)) != nil)
        let json =
            try JSONSerialization.jsonObject(with: Data(feed.bytes(.json, links: Samples.links))) as? [[String: Any]]
        #expect(Self.sameScalars(json?.compactMap { $0["name"] as? String } ?? [], names))
    }

    private static func sameScalars(_ one: [String], _ other: [String]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { $0.unicodeScalars.elementsEqual($1.unicodeScalars) }
    }

    /// The characters that XML 1.0 allows (production 2), by a naive rule.
    private static func inXML(_ text: String) -> String {
        mapping(text) { value in
            !(value == 9 || value == 10 || value == 13 || (0x20...0xD7FF).contains(value)
                || (0xE000...0xFFFD).contains(value) || (0x10000...0x10FFFF).contains(value))
        }
    }

    private static func mapping(_ text: String, isForbidden: (UInt32) -> Bool) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { out.append(isForbidden(scalar.value) ? "\u{FFFD}" : scalar) }
        return String(out)
    }
}
