import NIOHTTP1
import Testing

@testable import HTTP

@Suite struct RequestHeadTests {
    @Test("a request of HTTP/1.1 names its host once; HTTP/1.0 may leave it out, and not name two")
    func hostsCount() {
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
}
