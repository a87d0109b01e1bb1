import Domain
import Feeds
import HTTPTypes
import NIOCore
import Testing

@testable import HTTP
@testable import HTTPServer
@testable import Leaderboard

/// What strangers can make of requests for one feed.
@Suite struct FeedKeysTests {
    private let responder: Responder
    private let service = FeedService(
        route: Routes.v1.charities, path: Routes.v1.charities.path(nil), query: .charities)

    init() throws { responder = try Exchange.responderWithoutDatabase() }

    /// Asks for the feed, whose rows are always the same.
    private func isRemembered(_ target: String) async throws -> Bool {
        let request = Request(method: .get, target: target, headers: RequestHeaders(), body: ByteBuffer())
        let response = try await responder.feeds.serve(request, service, suffix: .json) { _, _ in
            FeedReading(1)
        } describe: { _, query in
            .highScores([], path: service.path, ties: .first)
        }
        #expect(response.status == .ok)
        return responder.feeds.requests.find(request) != nil
    }

    @Test("a request is remembered only in words that a stranger cannot vary at will") func remembered() async throws {
        #expect(try await isRemembered("/v1/charities.json"))
        #expect(try await isRemembered("/v1/charities.json?limit=10"))
        for number in 0..<3 {
            #expect(try await !isRemembered("/v1/charities.json?x=\(number)"))
            #expect(try await !isRemembered("/v1/charities.json?limit=\(number + 1)&limit=10"))
        }
        #expect(try await !isRemembered("/v1/charities.json?limit=1%30"))
    }
}
