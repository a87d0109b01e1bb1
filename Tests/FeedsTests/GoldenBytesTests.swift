import Domain
import Foundation
import Testing

@testable import Feeds

@Suite struct GoldenBytesTests {
    @Test("TopScores.xml with one donor is the old server's, to the byte") func oneDonor() throws {
        let feed = Samples.topScores([.init(name: "yarri", image: .embeddedBase64(Array("ab+/cd+/ef==".utf8)))])
        #expect(feed.bytes(.xml, links: Samples.links) == (try Golden.bytes("ts_one")))
    }

    @Test("TopScores.xml of many donors is the old server's, to the byte") func manyGivers() throws {
        let donors = (251...300).reversed().map {
            Samples.Donor(name: "c0\($0)", image: .embeddedBase64([UInt8(ascii: "x")]), points: $0)
        }
        #expect(
            Samples.topScores(donors).bytes(.xml, links: Samples.links)
                == (try Golden.bytes("ts_300_donors_TopScoresFixed")))
    }

    @Test("TopScores.xml of nobody is the old server's, to the byte") func nobody() throws {
        #expect(
            Samples.topScores([]).bytes(.xml, links: Samples.links) == (try Golden.bytes("ts_empty_TopScoresFixed")))
    }

    @Test("no picture is an empty element") func noPicture() {
        let text = String(decoding: Samples.topScores(names: ["x"]).bytes(.xml, links: Samples.links), as: UTF8.self)
        #expect(text.contains("    <image></image>\n"))
    }

    @Test("the plist of posts is that of plist gem 3.0.0, to the byte") func posts() throws {
        let feed = Samples.posts([
            ("2009-09-12T10:00:03Z", "player three", 20), ("2009-09-12T10:00:02Z", "player two", 15),
            ("2009-09-12T10:00:01.999999Z", "player one", 10),
        ])
        #expect(feed.bytes(.plist, links: Samples.links) == (try Golden.bytes("plist300_three_fixtures")))
        #expect(Samples.posts([]).bytes(.plist, links: Samples.links) == (try Golden.bytes("plist300_empty")))
    }

    @Test("a customer is the old server's, to the byte") func customer() throws {
        let at = Value.instant(Samples.instant("2026-11-21T00:08:04Z"))
        let document = Document(
            "customer",
            [
                Field("id", .integer(1)), Field("name", .text("yarri")), Field("email", .text("a@b.c")),
                Field("send_updates", .boolean(true)), Field("image", .embeddedBase64(Array("ab+/cd+/ef==".utf8))),
                Field("fb_uid", .text("0")), Field("phone", .text("2bef0b11cff51cbb2e0730235f5664094b83b487")),
                Field("created_at", at), Field("updated_at", at),
            ])
        #expect(document.xml(links: Samples.links) == (try Golden.bytes("cu_put_ok")))
    }

    @Test("a list of errors is the old server's, to the byte") func errors() throws {
        #expect(ErrorsDocument(["Name can't be blank"]).xml() == (try Golden.bytes("cu_put_missing_name")))
    }
}

/// Bytes that a Rails server of 2009, or the plist gem, wrote.
enum Golden {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Golden")
        return [UInt8](try Data(contentsOf: folder.appending(path: name + ".xml")))
    }
}
