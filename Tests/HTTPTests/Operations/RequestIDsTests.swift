import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct RequestIDsTests {
    private static func request(id: String?..., address: String = "192.0.2.1") -> HTTPServer.Request {
        var headers = HTTPHeaders()
        for id in id { if let id { headers.add(name: "Request-Id", value: id) } }
        return Request(
            method: .get, target: "/", headers: RequestHeaders(headers), body: ByteBuffer(),
            peer: Peer(address: IPAddress(address), isEncrypted: false))
    }

    @Test("ids of the server do not repeat, are no numbers in a row, and keep the grammar") func own() {
        let ids = RequestIDs.random()
        let made = (0..<10_000).map { _ in ids.id() }
        #expect(Set(made).count == made.count)
        #expect(made.allSatisfy { $0.utf8.count == 13 && RequestIDs.isID($0) })
        #expect(made != made.sorted() && made != made.sorted(by: >))
        #expect(Set(made).isDisjoint(with: (0..<100).map { _ in RequestIDs.random().id() }), "another process")
    }

    @Test(
        "1 to 64 of letters, digits, dot, underscore and hyphen are an id",
        arguments: [
            ("a", true), ("A-z_0.9", true), (String(repeating: "x", count: 64), true), ("", false),
            (String(repeating: "x", count: 65), false), (String(repeating: "x", count: 100_000), false), ("a b", false),
            ("a,b", false), ("a\"b", false), ("a\nb", false), ("a/b", false), ("ü", false), ("\u{0}", false),
            ("a:b", false), ("e\u{301}", false),
        ]) func grammar(text: String, isID: Bool)
    { #expect(RequestIDs.isID(text) == isID) }

    @Test("the id of a trusted proxy is kept when it is one, and that of nobody else") func proxy() {
        let proxy = IPAddress("192.0.2.1")
        let ids = RequestIDs(isTrusted: { $0.address == proxy }) { "own" }
        #expect(ids.id(of: Self.request(id: "from-proxy")) == "from-proxy")
        #expect(ids.id(of: Self.request(id: "from-proxy", address: "192.0.2.2")) == "own")
        for id in ["", "a b", "\"}", String(repeating: "x", count: 65)] {
            #expect(ids.id(of: Self.request(id: id)) == "own", "\(id)")
        }
        #expect(ids.id(of: Self.request(id: nil)) == "own")
        #expect(ids.id(of: Self.request(id: "one", "two")) == "own", "two ids are none")
        #expect(RequestIDs { "own" }.id(of: Self.request(id: "from-proxy")) == "own", "no proxy is trusted by itself")
    }

    @Test("bytes that caches keep carry no id, and all other responses do") func publicResponses() {
        for (status, cacheControl, isPublic) in [
            (HTTPResponse.Status.ok, "public, max-age=0, must-revalidate" as String?, true),
            (.ok, "public, max-age=86400", true), (.notModified, "public, max-age=86400", true),
            (.ok, "private, no-store", false), (.ok, "no-store", false), (.ok, nil, false), (.notModified, nil, false),
            (.created, "public", false), (.noContent, nil, false), (.seeOther, nil, false),
            (.notFound, "no-store", false), (.serviceUnavailable, "public", false),
        ] {
            var response = Response(status: status)
            response.headers[.cacheControl] = cacheControl
            #expect(response.isPublic == isPublic, "\(status) \(cacheControl ?? "")")
        }
    }
}
