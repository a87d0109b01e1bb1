import Foundation
import TestDice
import Testing

@testable import CauseboardClient

@Suite struct FeedRowParserTests {
    private static let document = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE customers SYSTEM "none">
        <!-- > a comment <customer> -- -->
        <customers type='a "quoted" > value'>
          <customer><name>Tom &amp; &lt;Jerry&gt; &quot;&apos;&#233;&#x1F600;</name><points>1</points></customer>
          <customer><name><![CDATA[a ]] <b> & c]]></name><image/><points >-2</points ></customer>
          <customer>
            <player-name>
              é
            </player-name>
          </customer>
        </customers>

        """
    private static let rows = [
        ["name": "Tom & <Jerry> \"'é😀", "points": "1"], ["name": "a ]] <b> & c", "points": "-2"], ["player_name": "é"],
    ]

    @Test("the same rows come, however the bytes are cut", arguments: Dice.seeds(1...40)) func cuts(seed: UInt64) throws
    {
        var dice = Dice(seed: seed)
        var parser = FeedRowParser()
        var rows: [[String: String]] = []
        var rest = Array(Self.document.utf8)[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...9, using: &dice))
            rows += try parser.take(part)
            rest = rest.dropFirst(part.count)
        }
        try parser.end()
        #expect(rows == Self.rows, "seed \(seed)")
    }

    @Test("a document that was cut anywhere is not taken for whole") func cutOff() throws {
        let bytes = Array(Self.document.utf8)
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: ">")))
        for length in 0...end {
            var parser = FeedRowParser()
            _ = try parser.take(bytes[..<length])
            #expect(throws: FeedError.self, "\(length) bytes") { try parser.end() }
        }
    }

    @Test(
        "what is no feed is refused",
        arguments: [
            "<a></b>", "<a><b></a></b>", "</a>", "<a/><b/>", "x<a/>", "<a>&nbsp;</a>", "<a>&#0;</a>", "<a>&#xD800;</a>",
            "<a>&#99999999999;</a>", "<a>&a</a>", "<a>&bbbbbbbbbbbbbbbbbbbbbbbb;</a>", "<a <b>", "< a/>", "<1/>", "<>",
            #"<!DOCTYPE a [<!ENTITY x "y">]><a/>"#, "<!ELEMENT a><a/>", "<a>&#-1;</a>", "<a>&#x+41;</a>",
            String(repeating: "<a>", count: 9), "<r><c>" + (0...32).map { "<f\($0)>x</f\($0)>" }.joined() + "</c></r>",
            "<r><c><n>" + String(repeating: "x", count: Limits.feedTextBytesMax + 1) + "</n></c></r>",
            "<r a='" + String(repeating: "x", count: Limits.feedTagBytesMax) + "'/>",
        ]) func refused(text: String)
    {
        var parser = FeedRowParser()
        #expect(throws: FeedError.self) {
            _ = try parser.take(text.utf8)
            try parser.end()
        }
    }

    @Test("bytes that are no UTF-8 are refused") func notUTF8() {
        var parser = FeedRowParser()
        #expect(throws: FeedError.self) { try parser.take(Array("<r><c><n>".utf8) + [0xFF] + Array("</n>".utf8)) }
    }

    @Test("any bytes are read or refused, and end the parser in a bounded time", arguments: Dice.seeds(1...30))
    func garbage(seed: UInt64) {
        var dice = Dice(seed: seed)
        let pieces = [
            "<", ">", "</", "/>", "<a", "</a>", "<!--", "-->", "<![CDATA[", "]]>", "&", ";", "#", "'", "\"", "a",
        ]
        for _ in 0..<50 {
            var parser = FeedRowParser()
            var bytes: [UInt8] = []
            for _ in 0..<200 {
                bytes += dice.percent(90) ? Array(dice.pick(pieces).utf8) : [UInt8.random(in: 0...255, using: &dice)]
            }
            do { for row in try parser.take(bytes) { #expect(row.count <= Limits.feedFieldsMax) } } catch {
                #expect(!error.reason.isEmpty)
            }
        }
    }
}
