import Credentials
import Domain
import Feeds
import FoundationEssentials
import Testing

@testable import HTTP

@Suite struct AdminListTests {
    private let secret: Secret

    init() throws { secret = try #require(Secret(hex: String(repeating: "5", count: 64))) }

    private func page(_ query: String, of path: String = "/v1/admin/games") throws -> AdminPage {
        try AdminPage(QueryParameters("\(path)?\(query)"), of: path, secret)
    }

    @Test("a cursor is read as it was written, by the list that wrote it alone") func cursors() throws {
        let path = "/v1/admin/games/" + String(repeating: "g", count: 63) + "/boards"
        for (number, text) in [(Int64.min, ""), (0, "a"), (.max, String(repeating: "z", count: 63))] {
            let cursor = AdminCursor(path: path, number: number, text: text)
            #expect(AdminCursor(bytes: cursor.bytes) == cursor)
            let sealed = try #require(secret.cursor(cursor.bytes))
            #expect(try page("after=\(sealed)", of: path).after == cursor)
            #expect(throws: Problem.badCursor("after")) { try page("after=\(sealed)") }
        }
        let other = try #require(secret.cursor(HistoryCursor(ledger: .scores, historyKey: .noon).bytes))
        for text in ["", "x", other] {
            #expect(throws: Problem.badCursor("after"), "\(text)") { try page("after=\(text)") }
        }
    }

    @Test("a page has 1 to 100 rows, 50 unless told otherwise, and is never clamped") func limits() throws {
        #expect(try page("").limitRows == 50)
        for number in [1, 100] { #expect(try page("limit=\(number)").limitRows == number) }
        for text in ["0", "101", "-1", "+5", "05", "x", "", "9223372036854775808"] {
            #expect(throws: Problem.self, "\(text)") { try page("limit=\(text)") }
        }
    }

    @Test("a list is the same in JSON and CSV, where a list in a cell is words and no spreadsheet runs a name")
    func formats() {
        let list = AdminList<(String, [String])>(
            name: "keys", columns: [Column("name", .text), Column("scopes", .text), Column("note", .text)]
        ) { row in [.value(.text(row.0)), .list(row.1.map { .value(.text($0)) }), .value(.none)] }
        let rows = [("ops", ["operate", "read"]), ("=HYPERLINK(1)", ["read"])]
        let json = String(decoding: list.json(rows, next: "n").bytes(links: FeedLinks()), as: UTF8.self)
        #expect(
            json == #"{"rows":[{"name":"ops","scopes":["operate","read"]},{"name":"=HYPERLINK(1)","scopes":["read"]}],"#
                + "\"next\":\"n\"}\n")
        let csv = String(decoding: list.csv(rows, links: FeedLinks()), as: UTF8.self)
        #expect(csv == "name,scopes,note\r\nops,\"operate read\",\r\n\"'=HYPERLINK(1)\",read,\r\n")
    }

    @Test("a list of texts is an array of strings, or words with commas or spaces between them") func texts() throws {
        func read(_ json: String) throws -> [String]? {
            try Fields(Array(json.utf8), contentType: "application/json", known: []).texts("s")
        }
        #expect(try read(#"{"s": ["a", "b\u0063" ]}"#) == ["a", "bc"])
        #expect(try read(#"{"s": []}"#) == [] && read(#"{"s": "a,b c"}"#) == ["a", "b", "c"])
        #expect(try read(#"{}"#) == nil && read(#"{"s": null}"#) == nil)
        let long = "[" + Array(repeating: "\"a\"", count: Limits.textsInListMax + 1).joined(separator: ",") + "]"
        for text in [#"[1]"#, #"["a", 1]"#, #"[["a"]]"#, "5", "{}", long] {
            #expect(throws: FieldError.self, "\(text.prefix(20))") { try read("{\"s\": \(text)}") }
        }
    }
}

extension HistoryKey {
    fileprivate static let noon = HistoryKey(reachedAt: Instant(microsecondsSince1970: 0), id: UUID())
}
