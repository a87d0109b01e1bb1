import Concurrency
import CoreMetrics
import Domain
import Leaderboard
import Storage
import Synchronization
import Tracing

/// The feeds as they were last rendered. The first reader of a changed feed renders it, and it is used again while its
/// content is the same.
///
/// Whatever is read and rendered waits for its client's turn, so that a client who requests many feeds that are in no
/// cache keeps nobody else waiting. What is in the cache waits for nothing.
///
/// A feed is current while nothing that it was read from has changed. After a change its rows are read again, and it is
/// rendered again only if they differ.
final class FeedCache: Sendable {
    /// A feed as it was rendered, and what it was rendered from.
    struct Rendered: CacheSized {
        let source: any Equatable & Sendable
        let entity: Entity
        /// Nil for what cannot be cached.
        let validator: CacheValidator?

        var bytesInCache: Int { entity.bytesInCache }
    }

    private let rankings: Rankings
    private let entries = Mutex(GenerationalCache<String, Rendered>(bytesMax: Limits.feedsBytesMax))
    private let reads = SingleFlight<Rendered>()
    private let makers = FairWorkers(.feedsMade)
    private let places: CorePlaces
    private let hits: Counter
    private let misses: Counter

    /// - Parameters:
    ///   - metrics: Where lookups are counted.
    ///   - places: For the feeds that run.
    init(
        _ rankings: Rankings, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        places: CorePlaces = .forFeeds()
    ) {
        (self.rankings, self.places) = (rankings, places)
        func lookups(_ result: String) -> Counter {
            Counter(label: "feed_lookups_total", dimensions: [("result", result)], factory: metrics)
        }
        (hits, misses) = (lookups("hit"), lookups("miss"))
    }

    /// How many feeds there are, and about how many bytes they take.
    var size: (count: Int, bytes: Int) { entries.withLock { ($0.count, $0.bytesCount) } }

    /// How many feeds are made now, and how many wait for that.
    var makersCounts: (running: Int, waiting: Int) { makers.counts }

    /// A feed was, or was not, as it had been rendered.
    private func note(isHit: Bool) {
        (isHit ? hits : misses).increment()
        guard let context = InstrumentationContext.current else { return }
        InstrumentationSystem.tracer.activeSpan(identifiedBy: context)?.attributes["cache"] = isHit ? "hit" : "miss"
    }

    /// A cached feed.
    /// - Returns: Nil unless the feed is in the cache and current.
    func find(_ key: String) -> Entity? {
        guard let entity = current(key)?.entity else { return nil }
        note(isHit: true)
        return entity
    }

    private func current(_ key: String) -> Rendered? {
        guard let entry = entry(key), let validator = entry.validator, rankings.isCurrent(validator) else { return nil }
        return entry
    }

    /// The feed, from the cache or rendered now. Concurrent calls with the same key share one read.
    /// - Parameters:
    ///   - key: Names the feed and how it is written.
    ///   - namesNobody: Whether it contains nothing about a person. A stale copy may then answer a client whose own
    ///     jobs fill the queue.
    ///   - read: Reads the rows.
    ///   - render: Writes the feed from what was read.
    func feed<Source: Equatable & Sendable>(
        _ key: String, namesNobody: Bool = false, read: () async throws -> FeedReading<Source>,
        render: (Source) async throws -> Entity
    ) async throws -> Rendered {
        if let rendered = current(key) {
            note(isHit: true)
            return rendered
        }
        note(isHit: false)
        do { return try await readNow(key, read: read, render: render) } catch StoreError.crowded where namesNobody {
            guard let rendered = entry(key) else { throw StoreError.crowded }
            return rendered
        }
    }

    private func readNow<Source: Equatable & Sendable>(
        _ key: String, read: () async throws -> FeedReading<Source>, render: (Source) async throws -> Entity
    ) async throws -> Rendered {
        try await reads.value(for: key) {
            if let rendered = current(key) { return rendered }
            return try await uncached {
                let reading = try await read()
                let known = entry(key)
                let entity =
                    if let known, known.source as? Source == reading.source { known.entity } else {
                        try await render(reading.source)
                    }
                let rendered = Rendered(source: reading.source, entity: entity, validator: reading.validator)
                if reading.validator != nil { keep(rendered, key) }
                return rendered
            }
        }
    }

    /// Makes what no cache keeps, when it is the client's turn.
    /// - Throws: `StoreError.crowded` at once if too many wait, of the client or of all, and errors of `make`.
    func uncached<Value>(_ make: () async throws -> Value) async throws -> Value {
        try await makers.runElsewhere { try await places.run(make) }
    }

    private func entry(_ key: String) -> Rendered? { entries.withLock { $0.find(key) }.value }

    private func keep(_ entry: Rendered, _ key: String) {
        // What is dropped is freed after the lock is released.
        _ = entries.withLock { $0.set(entry, for: key) }
    }
}

/// The content of a feed, before it is rendered.
struct FeedReading<Source: Equatable & Sendable>: Sendable {
    let source: Source
    /// Nil for content that cannot be cached.
    let validator: CacheValidator?

    init(_ source: Source, _ validator: CacheValidator? = nil) {
        self.source = source
        self.validator = validator
    }
}
