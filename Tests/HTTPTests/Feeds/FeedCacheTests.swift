import Domain
import Logging
import NIOCore
import Postgres
import Storage
import TestDatabases
import Testing

@testable import HTTP
@testable import Leaderboard

@Suite struct FeedCacheTests {
    private struct Rows: Equatable {
        let points: [Int]
    }

    private let cache: FeedCache
    /// No stream is followed here, so no feed stays current and every lookup reads again.
    private let validator = CacheValidator(
        watched: [.giving(0)],
        before: ReadVersions(boardCache: 0, summaries: 0, at: .noon),
        until: Instant(microsecondsSince1970: .max)
    )

    init() {
        let pool = Pool(
            ConnectionSettings(conninfo: "host=/nowhere", connectTimeout: .seconds(5)),
            limits: PoolLimits(connectionsMax: 1),
            logger: .none
        )
        let store = Store(general: pool, ledger: pool, logger: .none)
        let clock = ServerClock { Instant(microsecondsSince1970: 0) }
        cache = FeedCache(Rankings(store: store, clock: clock, memory: LeaderboardMemory(store: store)))
    }

    /// - Returns: Whether the feed was rendered.
    private func isRendered<Source: Equatable & Sendable>(
        _ key: String,
        _ source: Source,
        validator: CacheValidator?
    ) async throws -> Bool {
        var isRendered = false
        let entity = try await cache.feed(key, read: { FeedReading(source, validator) }) { source in
            isRendered = true
            return Entity(
                bytes: Array("\(source)".utf8),
                contentType: "text/plain",
                isGzip: false
            )
        }.entity
        #expect(String(buffer: entity.body) == "\(source)")
        return isRendered
    }

    @Test("what reads as before is not rendered again; what reads otherwise is")
    func readAgain() async throws {
        #expect(try await isRendered("a", Rows(points: [3, 1]), validator: validator))
        #expect(try await !isRendered("a", Rows(points: [3, 1]), validator: validator))
        #expect(try await isRendered("a", Rows(points: [3, 2]), validator: validator))
        #expect(try await isRendered("b", Rows(points: [3, 2]), validator: validator), "another key is another feed")
    }

    @Test("a source of another type is another one")
    func types() async throws {
        #expect(try await isRendered("a", 1, validator: validator))
        #expect(try await isRendered("a", Int64(1), validator: validator))
    }

    @Test("what has no validator is not kept")
    func withoutValidator() async throws {
        #expect(try await isRendered("a", 1, validator: nil))
        #expect(try await isRendered("a", 1, validator: nil))
    }

    @Test("a client with too many jobs gets a stale feed only if it names nobody")
    func crowded() async throws {
        func feed(_ key: String, namesNobody: Bool) async throws -> String {
            let entity = try await cache.feed(
                key,
                namesNobody: namesNobody,
                read: { FeedReading(2, validator) },
                render: { _ in throw StoreError.crowded }
            ).entity
            return String(buffer: entity.body)
        }
        for key in ["a", "b"] { #expect(try await isRendered(key, 1, validator: validator)) }
        #expect(try await feed("a", namesNobody: true) == "1")
        await #expect(throws: StoreError.crowded) { try await feed("b", namesNobody: false) }
        await #expect(throws: StoreError.crowded, "there is none") { try await feed("c", namesNobody: true) }
    }

    @Test("an error is for who asked, and keeps nothing")
    func errors() async throws {
        struct Broken: Error {}
        await #expect(throws: Broken.self) {
            try await cache.feed("a", read: { FeedReading(1, validator) }, render: { _ in throw Broken() })
        }
        #expect(try await isRendered("a", 1, validator: validator))
    }
}
