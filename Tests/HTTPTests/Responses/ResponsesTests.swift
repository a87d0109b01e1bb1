import Domain
import HTTPTypes
import NIOCore
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct CrossOriginTests {
    private static let known =
        "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, Causeboard-Signature"

    private func allowed(_ asked: String?) -> String? {
        CrossOrigin.preflight(allow: "GET, OPTIONS", asked: asked).headers[.accessControlAllowHeaders]
    }

    @Test("a page may send the headers that it asks for, also those of its tools") func asked() {
        #expect(allowed(nil) == Self.known)
        #expect(allowed("") == Self.known)
        #expect(allowed("authorization,content-type") == Self.known)
        #expect(allowed("authorization,sentry-trace,baggage") == Self.known + ", baggage, sentry-trace")
        #expect(allowed("X-Requested-With , traceparent,traceparent") == Self.known + ", traceparent, x-requested-with")
    }

    @Test("nothing but names of headers is sent back") func bounds() {
        for odd in ["a b", "x-a,x b", "x:y", "é", "x-a;q=1", "x\"", "(x)", "[x]", "x-a,\u{7F}"] {
            #expect(allowed(odd) == Self.known, "\(odd)")
        }
        #expect(allowed("x-a,x\tb\r\nSet-Cookie: a=b") == Self.known)
        let most = (0..<90).map { "x-head-\($0 + 10)" }.joined(separator: ",")
        #expect(allowed(most)?.split(separator: ", ").count == 96)
    }

    @Test("a cache that keeps a preflight keeps it for those headers") func vary() {
        #expect(CrossOrigin.preflight(allow: "GET", asked: nil).headers[.vary] == "Access-Control-Request-Headers")
    }
}

@Suite struct ContractEntityTests {
    @Test("the contract is compressed and hashed once", arguments: [true, false]) func once(isGzip: Bool) {
        func address() -> UnsafeRawPointer? {
            OpenAPI.entity(isGzip: isGzip).body.withUnsafeReadableBytes { $0.baseAddress }
        }
        #expect(address() != nil)
        #expect(address() == address())
    }

    @Test("each coding has its own bytes and tag") func codings() {
        let (plain, compressed) = (OpenAPI.entity(isGzip: false), OpenAPI.entity(isGzip: true))
        #expect(Array(plain.body.readableBytesView) == OpenAPI.bytes)
        #expect(compressed.body.readableBytes < plain.body.readableBytes && compressed.etag != plain.etag)
    }
}
