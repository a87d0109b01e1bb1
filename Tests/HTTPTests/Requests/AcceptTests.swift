import enum Contract.ProblemName
import Feeds
import Testing

@testable import HTTP

@Suite struct AcceptTests {
    private func chosen(_ accept: String?, isClassic: Bool = true) throws -> FeedFormat {
        try FeedFormat.chosen(suffix: nil, accept: accept, isClassic: isClassic)
    }

    @Test("who does not care gets XML on classic paths and JSON on v1", arguments: [nil, "", "*/*", "application/*"])
    func indifferent(accept: String?) throws {
        #expect(try chosen(accept) == .xml)
        #expect(try chosen(accept, isClassic: false) == .json)
    }

    @Test("a browser gets HTML") func browser() throws {
        let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
        #expect(try chosen(accept) == .html)
        #expect(try chosen(accept, isClassic: false) == .html)
    }

    @Test("the highest quality wins, and the most specific range says what it is") func quality() throws {
        #expect(try chosen("text/csv;q=0.2, application/json;q=0.7") == .json)
        #expect(try chosen("text/*;q=0.9, text/csv;q=0.1, application/json;q=0.5") == .html)
        #expect(try chosen("application/atom+xml, */*;q=0") == .atom)
        #expect(try chosen("text/csv;q=abc") == .csv)
    }

    @Test("nothing that fits is a 406", arguments: ["image/png", "application/json;q=0", "video/*"]) func nothing(
        accept: String
    ) {
        let problem = #expect(throws: Problem.self) { try chosen(accept) }
        #expect(problem?.name == .notAcceptable)
    }

    @Test("a suffix decides alone") func suffix() throws {
        #expect(try FeedFormat.chosen(suffix: .csv, accept: "image/png", isClassic: true) == .csv)
    }

    @Test("gzip is welcome when it is named or covered, and not refused") func codings() {
        #expect(Accept("gzip").takes(coding: "gzip"))
        #expect(Accept("br, GZIP;q=0.5").takes(coding: "gzip"))
        #expect(Accept("*").takes(coding: "gzip"))
        #expect(!Accept("gzip;q=0, *").takes(coding: "gzip"))
        #expect(!Accept("br").takes(coding: "gzip"))
        #expect(!Accept(nil).takes(coding: "gzip"))
    }

    @Test("what is no ASCII is malformed, and ranges after the 64th are ignored") func hostile() throws {
        #expect(try chosen("text/csv, \u{301}\u{323}/*") == .csv)
        #expect(try chosen("\u{301}\u{323}") == .xml)
        let many = Array(repeating: "text/x", count: 63).joined(separator: ",")
        #expect(try chosen(many + ",text/csv") == .csv)
        #expect(throws: Problem.self) { try chosen(many + ",text/y,text/csv") }
    }

    @Test("If-None-Match is a list of tags, strong or weak, or *") func tags() {
        for header in ["\"a\"", "*", " W/\"a\" ", "\"b\", \"a\"", "\"b\",\tW/\"a\""] {
            #expect(Entity.matches(header, "\"a\""), "\(header)")
        }
        for header in ["", "\"b\"", "a", "**", "W/*", "\"a\"\u{301}"] {
            #expect(!Entity.matches(header, "\"a\""), "\(header)")
        }
    }
}
