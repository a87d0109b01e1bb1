import enum Contract.ProblemName
import Testing

@testable import HTTP

@Suite struct BodyTests {
    private func kind(_ type: String?, _ body: String) -> Body.Kind? {
        Body.kind(contentType: type, firstByte: Body.firstByte(of: Array(body.utf8)))
    }

    @Test(
        "under a type that engines send with anything, a body that starts with { is JSON, and else a form",
        arguments: [
            nil, "", "application/octet-stream", "text/plain", "application/x-www-form-urlencoded",
            "Text/Plain; charset=ISO-8859-1", "APPLICATION/X-WWW-FORM-URLENCODED;charset=utf-8",
            " text/plain ;x=application/xml", "text/plain, text/plain",
        ]) func guessed(type: String?)
    {
        #expect(kind(type, "{\"points\":1}") == .json)
        #expect(kind(type, " \r\n\t{") == .json)
        #expect(kind(type, "\u{FEFF}{}") == .json)
        #expect(kind(type, "points=1") == .form)
        #expect(kind(type, "[1]") == .form)
        #expect(kind(type, "") == .empty)
        #expect(kind(type, " \r\n") == .empty)
    }

    @Test(
        "under a type of JSON every body is JSON",
        arguments: [
            "application/json", "Application/JSON; charset=UTF-8", "application/json;charset=latin1",
            "application/merge-patch+json", "application/vnd.api+json; ext=x", "text/json",
            "application/json, application/json",
        ]) func json(type: String)
    {
        #expect(kind(type, "{}") == .json)
        #expect(kind(type, "points=1") == .json)
        #expect(kind(type, "[]") == .json)
        #expect(kind(type, "") == .empty)
        #expect(kind(type, "\u{FEFF} ") == .empty)
    }

    @Test(
        "other types are not read, whatever the body",
        arguments: [
            "multipart/form-data; boundary=x", "application/xml", "text/xml", "text/html", "application/jsonp",
            "application/json-seq", "application/x-json-stream", "json", "+json", "text", "image/png", "*/*",
            "application/x-www-form-urlencodedx",
        ]) func others(type: String)
    { for body in ["{}", "points=1", ""] { #expect(kind(type, body) == nil) } }

    @Test("a body that is encoded is not sent as it is") func encodings() {
        for plain in [nil, "", "identity", "Identity", " identity , IDENTITY", ",", "UTF-8"] {
            #expect(Body.isPlain(contentEncoding: plain), "\(plain ?? "none")")
        }
        for encoded in ["gzip", "GZIP", "x-gzip", "deflate", "br", "identity, gzip", "aes128gcm", "identityx", "é"] {
            #expect(!Body.isPlain(contentEncoding: encoded), "\(encoded)")
        }
    }

    @Test("hostile types are not read") func hostile() {
        #expect(kind(String(repeating: "\u{301}\u{316}", count: 30_000), "{}") == nil)
        #expect(kind(String(repeating: "a", count: 100_000) + "/json", "{}") == nil)
    }

    @Test("fields are read from either kind of body") func fields() throws {
        func points(_ body: String, _ type: String?) throws -> Int64? {
            try Fields(Array(body.utf8), contentType: type, known: ["points"]).integer("points")
        }
        #expect(try points("{\"points\":1e1}", nil) == 10)
        #expect(try points("{\"points\":\"10\"}", "application/x-www-form-urlencoded") == 10)
        #expect(try points("points=10.0", nil) == 10)
        #expect(try points("\u{FEFF}points=10", nil) == 10)
        #expect(try points("", "application/json") == nil)
        let malformed = try #require(throws: Problem.self) { try points("points=10", "application/json") }
        #expect(malformed.name == .malformed)
        #expect(
            malformed.sentence.hasPrefix(
                "The body is no JSON: line 1, column 1 has 'p' where an object in { } belongs."))
        #expect(#expect(throws: Problem.self) { try points("{}", "text/xml") }?.name == .mediaType)
    }
}
