import HTTPTypes
import NIOHTTP1
import Testing

@testable import HTTPServer

@Suite struct RequestHeadTests {
    @Test("a request of HTTP/1.1 names its host once; HTTP/1.0 may leave it out, and not name two") func hostsCount() {
        let cases: [(NIOHTTP1.HTTPVersion, [String], Bool)] = [
            (.http1_1, ["x"], true), (.http1_1, [], false), (.http1_1, ["x", "x"], false), (.http1_1, ["a b"], false),
            (.http1_1, [""], true), (.http1_0, [], true), (.http1_0, ["x"], true), (.http1_0, ["x", "y"], false),
            (.http1_0, ["a b"], false),
        ]
        for (version, hosts, isValid) in cases {
            let headers = HTTPHeaders(hosts.map { ("Host", $0) })
            let head = RequestHead(HTTPRequestHead(version: version, method: .GET, uri: "/", headers: headers))
            #expect(head.hasValidHost == isValid, "\(version) \(hosts)")
        }
    }

    @Test("spaces and tabs around the value of a header are no part of it") func outerSpace() {
        let fields = [
            ("Host", "x \t"), ("Expect", "100-continue "), ("Content-Length", "5 "), ("X", " a b\t "), ("x", "\t"),
            ("Authorization", "Bearer é\t"),
        ]
        let head = RequestHead(HTTPRequestHead(version: .http1_1, method: .PUT, uri: "/", headers: HTTPHeaders(fields)))
        #expect(head.hasValidHost && head.expectsContinue && head.contentLength == 5)
        let headers = RequestHeaders(HTTPHeaders(fields))
        #expect(headers[.authorization] == "Bearer é")
        #expect(headers[.standard("x")] == "a b, " && headers.values(of: .standard("x")) == ["a b", ""])
    }

    @Test("a transfer coding must be chunked, once and in HTTP/1.1, or the connection cannot be read further")
    func codings() {
        let marks = String(repeating: "\u{301}\u{323}", count: 15_000)
        let cases: [([String], Refusal?, old: Refusal?)] = [
            ([], nil, nil), (["chunked"], nil, .codingOfOldVersion), (["Chunked"], nil, .codingOfOldVersion),
            (["gzip, chunked"], .unknownCoding, .codingOfOldVersion),
            (["gzip,\tchunked"], .unknownCoding, .codingOfOldVersion),
            (["gzip", "chunked"], .unknownCoding, .codingOfOldVersion),
            (["chunked", "chunked"], .unknownCoding, .codingOfOldVersion),
            ([", chunked"], .unknownCoding, .codingOfOldVersion), (["gzip"], .brokenBody, .brokenBody),
            (["chunked, gzip"], .brokenBody, .brokenBody), (["chunked", "identity"], .brokenBody, .brokenBody),
            (["chunked,"], .brokenBody, .brokenBody), (["chunked;q=1"], .brokenBody, .brokenBody),
            ([""], .brokenBody, .brokenBody), ([marks + "chunked"], .brokenBody, .brokenBody),
        ]
        for (values, problem, old) in cases {
            let headers = HTTPHeaders([("Host", "x")] + values.map { ("Transfer-Encoding", $0) })
            for (version, expected) in [(NIOHTTP1.HTTPVersion.http1_1, problem), (.http1_0, old)] {
                let head = RequestHead(HTTPRequestHead(version: version, method: .PUT, uri: "/", headers: headers))
                #expect(head.framingRefusal == expected, "\(version) \(values.map { $0.prefix(20) })")
            }
        }
    }

    @Test("an offer of another protocol is found in any case and among hostile text") func upgrades() {
        let marks = String(repeating: "\u{301}\u{323}", count: 15_000)
        let cases: [([(String, String)], RequestHead.UpgradeOffer)] = [
            ([("Connection", "keep-alive, UpGrade")], .present), ([("connection", "xUPGRADEx")], .unclear),
            ([("Connection", "upgrad")], .absent), ([("Connection", "upgrade\u{301}")], .unclear),
            ([("Connection", marks)], .absent), ([("Proxy-Connection", marks + "upgrade")], .unclear),
            ([("Connection", marks + "Upgrade" + marks)], .unclear), ([], .absent),
        ]
        for (headers, offer) in cases {
            let headers = HTTPHeaders([("Host", "x"), ("Upgrade", "websocket")] + headers)
            let head = RequestHead(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers))
            #expect(head.upgrade == offer, "\(headers.first(name: "Connection")?.prefix(20) ?? "")")
        }
    }
}
