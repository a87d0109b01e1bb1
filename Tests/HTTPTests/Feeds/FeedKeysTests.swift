import Credentials
import Domain
import Feeds
import Logging
import NIOCore
import NIOHTTP1
import Postgres
import Storage
import Testing

@testable import HTTP
@testable import Leaderboard

/// What strangers can make of requests for one feed.
@Suite struct FeedKeysTests {
    private let responder: Responder
    private let service = Responder.FeedService(
        route: Routes.charities,
        path: Routes.charities.path(nil),
        query: .charities
    )

    init() throws {
        let pool = Pool(
            ConnectionSettings(conninfo: "host=/nowhere", connectTimeout: .seconds(5)),
            limits: PoolLimits(connectionsMax: 1),
            logger: .none
        )
        let secret = try #require(Secret(hex: String(repeating: "5eed", count: 16)))
        responder = Exchange.responder(Store(general: pool, ledger: pool, logger: .none), secret)
    }

    /// Asks for the feed, whose rows are always the same.
    private func isRemembered(_ target: String) async throws -> Bool {
        let request = Request(method: .get, target: target, headers: RequestHeaders(), body: ByteBuffer())
        let response = try await responder.feed(request, service, suffix: .json) { _, _ in
            FeedReading(1)
        } describe: { _, query in
            .highScores([], path: service.path, ties: .first)
        }
        #expect(response.status == .ok)
        return responder.feedRequests.find(request) != nil
    }

    @Test("a request is remembered only in words that a stranger cannot vary at will")
    func remembered() async throws {
        #expect(try await isRemembered("/v1/charities.json"))
        #expect(try await isRemembered("/v1/charities.json?limit=10"))
        for number in 0..<3 {
            #expect(try await !isRemembered("/v1/charities.json?x=\(number)"))
            #expect(try await !isRemembered("/v1/charities.json?limit=\(number + 1)&limit=10"))
        }
        #expect(try await !isRemembered("/v1/charities.json?limit=1%30"))
    }
}
