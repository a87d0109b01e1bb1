import Concurrency
import Domain
import Logging
import NIOCore
import NIOPosix
import Postgres
import Storage
import Synchronization
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer
@testable import Leaderboard

@Suite struct FeedCacheTests {
    private struct Rows: Equatable { let points: [Int] }

    private let cache: FeedCache
    private let places = CorePlaces(runningMax: 4, runningOfClientMax: 2)
    /// No stream is followed here, so no feed stays current and every lookup reads again.
    private let validator = CacheValidator(
        watched: [.donations(0)], before: ReadVersions(boardCache: 0, summaries: 0, campaigns: 0, at: .noon),
        until: Instant(microsecondsSince1970: .max))

    init() {
        let pool = Pool(
            ConnectionSettings(conninfo: "host=/nowhere", connectTimeout: .seconds(5)),
            limits: PoolLimits(connectionsMax: 1), logger: .none)
        let store = Store(general: pool, ledger: pool, logger: .none)
        let clock = ServerClock { Instant(microsecondsSince1970: 0) }
        cache = FeedCache(Rankings(store: store, clock: clock, memory: LeaderboardMemory(store: store)), places: places)
    }

    /// - Returns: Whether the feed was rendered.
    private func isRendered<Source: Equatable & Sendable>(_ key: String, _ source: Source, validator: CacheValidator?)
        async throws -> Bool
    {
        var isRendered = false
        let entity = try await cache.feed(key, read: { FeedReading(source, validator) }) { source in
            isRendered = true
            return Entity(bytes: Array("\(source)".utf8), contentType: "text/plain", isGzip: false)
        }.entity
        #expect(String(buffer: entity.body) == "\(source)")
        return isRendered
    }

    @Test("what reads as before is not rendered again; what reads otherwise is") func readAgain() async throws {
        #expect(try await isRendered("a", Rows(points: [3, 1]), validator: validator))
        #expect(try await !isRendered("a", Rows(points: [3, 1]), validator: validator))
        #expect(try await isRendered("a", Rows(points: [3, 2]), validator: validator))
        #expect(try await isRendered("b", Rows(points: [3, 2]), validator: validator), "another key is another feed")
    }

    @Test("a source of another type is another one") func types() async throws {
        #expect(try await isRendered("a", 1, validator: validator))
        #expect(try await isRendered("a", Int64(1), validator: validator))
    }

    @Test("what has no validator is not kept") func withoutValidator() async throws {
        #expect(try await isRendered("a", 1, validator: nil))
        #expect(try await isRendered("a", 1, validator: nil))
    }

    @Test("a client with too many jobs gets a stale feed only if it names nobody") func crowded() async throws {
        func feed(_ key: String, namesNobody: Bool) async throws -> String {
            let entity = try await cache.feed(
                key, namesNobody: namesNobody, read: { FeedReading(2, validator) },
                render: { _ in throw StoreError.crowded }
            ).entity
            return String(buffer: entity.body)
        }
        for key in ["a", "b"] { #expect(try await isRendered(key, 1, validator: validator)) }
        #expect(try await feed("a", namesNobody: true) == "1")
        await #expect(throws: StoreError.crowded) { try await feed("b", namesNobody: false) }
        await #expect(throws: StoreError.crowded, "there is none") { try await feed("c", namesNobody: true) }
    }

    @Test(
        "a client that requests many feeds at once keeps nobody else waiting, and gets 503 for those beyond its line",
        .timeLimit(.minutes(5))) func fairness() async throws
    {
        final class Seen: Sendable {
            let begun = Atomic(0)
            let isReleased = Atomic(false)
        }
        let seen = Seen()
        func feed(_ key: String, of client: ClientKey, isHeld: Bool = true) -> Task<Void, any Error> {
            Task { [cache] in
                try await ClientKey.$current.withValue(client) {
                    _ = try await cache.feed(key) {
                        seen.begun.add(1, ordering: .sequentiallyConsistent)
                        while isHeld, !seen.isReleased.load(ordering: .sequentiallyConsistent) { await Task.yield() }
                        return FeedReading(key)
                    } render: {
                        Entity(bytes: Array($0.utf8), contentType: "text/plain", isGzip: false)
                    }
                }
            }
        }
        let (greedy, polite) = (ClientKey(high: 0, low: 1), ClientKey(high: 0, low: 2))
        let count = Limits.feedsOfClientMadeMax + Limits.feedsOfClientWaitingMax
        var feeds = (0..<count).map { feed("greedy \($0)", of: greedy) }
        while cache.makersCounts != (Limits.feedsOfClientMadeMax, Limits.feedsOfClientWaitingMax) { await Task.yield() }
        await #expect(throws: StoreError.crowded) { try await feed("one more", of: greedy).value }
        // Some of the feeds that it began wait for a place.
        while places.counts != (2, Limits.feedsOfClientMadeMax - 2) { await Task.yield() }
        try await feed("polite", of: polite, isHeld: false).value
        while seen.begun.load(ordering: .sequentiallyConsistent) < 3 { await Task.yield() }
        #expect(places.counts == (2, Limits.feedsOfClientMadeMax - 2))
        // The server's own reads, such as those of event streams, are no client's.
        feeds += (0...Limits.feedsOfClientMadeMax).map { feed("server \($0)", of: .server) }
        while cache.makersCounts.running <= 2 * Limits.feedsOfClientMadeMax { await Task.yield() }
        seen.isReleased.store(true, ordering: .sequentiallyConsistent)
        for feed in feeds { try await feed.value }
        #expect(cache.makersCounts == (0, 0))
    }

    @Test("a feed that is in no cache is read and written away from the event loop of its request") func elsewhere()
        async throws
    {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let task = Task(executorPreference: EventLoopExecutor(eventLoop)) { [cache] in
            #expect(eventLoop.inEventLoop)
            _ = try await cache.feed("a") {
                #expect(!eventLoop.inEventLoop)
                return FeedReading("a")
            } render: { source in
                #expect(!eventLoop.inEventLoop)
                return Entity(bytes: Array(source.utf8), contentType: "text/plain", isGzip: false)
            }
            #expect(eventLoop.inEventLoop)
        }
        try await task.value
    }

    @Test("an error is for who asked, and keeps nothing") func errors() async throws {
        struct Broken: Error {}
        await #expect(throws: Broken.self) {
            try await cache.feed("a", read: { FeedReading(1, validator) }, render: { _ in throw Broken() })
        }
        #expect(try await isRendered("a", 1, validator: validator))
    }
}
