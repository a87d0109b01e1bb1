import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct FeedRequestCacheTests {
    private let cache = FeedRequestCache()
    private let entry = FeedRequestCache.Entry(key: "k", etag: "e", response: Response(status: .ok).prewritten)

    private func request(_ target: String, accept: String? = nil, encoding: String? = nil) -> Request {
        var headers = HTTPHeaders()
        if let accept { headers.add(name: "Accept", value: accept) }
        if let encoding { headers.add(name: "Accept-Encoding", value: encoding) }
        return Request(method: .get, target: target, headers: RequestHeaders(headers), body: ByteBuffer())
    }

    @Test("only the same target with the same Accept and Accept-Encoding is the same request") func same() {
        cache.keep(entry, for: request("/TopScores?limit=3", accept: "text/csv", encoding: "gzip"))
        #expect(cache.find(request("/TopScores?limit=3", accept: "text/csv", encoding: "gzip"))?.key == "k")
        #expect(cache.find(request("/TopScores?limit=4", accept: "text/csv", encoding: "gzip")) == nil)
        #expect(cache.find(request("/TopScores?limit=3", accept: "text/html", encoding: "gzip")) == nil)
        #expect(cache.find(request("/TopScores?limit=3", accept: "text/csv")) == nil)
        #expect(cache.find(request("/TopScores?limit=3", accept: "gzip", encoding: "text/csv")) == nil)
    }

    @Test("a request that is too long is not remembered") func long() {
        let target = "/TopScores?" + String(repeating: "x", count: 1_000)
        cache.keep(entry, for: request(target))
        #expect(cache.find(request(target)) != nil)
        cache.keep(entry, for: request(target + String(repeating: "x", count: 100)))
        #expect(cache.find(request(target + String(repeating: "x", count: 100))) == nil)
    }

    @Test("it is bounded in bytes, and what is asked for again stays while strangers fill it") func bound() {
        let popular = request("/TopScores")
        cache.keep(entry, for: popular)
        let longest = String(repeating: "x", count: 1_000)
        let requests = (0..<20_000).map { request("/TopScores?limit=\($0)&\(longest)") }
        for request in requests {
            cache.keep(entry, for: request)
            _ = cache.find(popular)
        }
        let keptCount = requests.count { cache.find($0) != nil }
        #expect(keptCount * 2_000 <= Limits.feedRequestsBytesMax)
        #expect(cache.find(requests[19_999]) != nil, "the last one is there")
        #expect(cache.find(popular) != nil)
    }

    @Test("canonically equivalent texts are different requests, as they are different bytes") func bytes() {
        cache.keep(entry, for: request("/TopScores", accept: "\u{E9}"))
        #expect(cache.find(request("/TopScores", accept: "\u{E9}")) != nil)
        #expect(cache.find(request("/TopScores", accept: "e\u{301}")) == nil)
    }
}
