import Domain
import Synchronization

/// Feeds as they were rendered last: made once, by the first reader of a changed feed, and used again for as long as
/// what they show is the same.
///
/// A feed is fresh while nothing that it was read from has changed. When something has, its rows are read again; only
/// if they differ is it rendered anew.
package final class FeedCache<Source: Sendable & Equatable, Feed: Sendable>: Sendable {
    /// What a feed shows, before it is rendered.
    package struct Reading: Sendable {
        package let source: Source
        /// Nil for what cannot be kept.
        package let validator: CacheValidator?

        package init(_ source: Source, _ validator: CacheValidator?) {
            self.source = source
            self.validator = validator
        }
    }

    private struct Entry: Sendable {
        let source: Source
        let feed: Feed
        let validator: CacheValidator
    }

    private struct State {
        /// Two generations: when the young one is full it becomes the old one, and the old one is forgotten.
        var young: [String: Entry] = [:]
        var old: [String: Entry] = [:]
        var youngBytes = 0
    }

    private let rankings: Rankings
    private let bytes: @Sendable (Feed) -> Int
    private let state = Mutex(State())
    private let reads = SingleFlight<Feed>()

    /// - Parameter bytes: How much memory a feed takes.
    package init(_ rankings: Rankings, bytes: @escaping @Sendable (Feed) -> Int) {
        self.rankings = rankings
        self.bytes = bytes
    }

    /// - Returns: Nil unless the feed is there and fresh.
    package func find(_ key: String) -> Feed? {
        guard let entry = entry(key), rankings.isCurrent(entry.validator) else { return nil }
        return entry.feed
    }

    /// Those who ask for the same at the same time share one reading.
    /// - Parameters:
    ///   - key: Names what is asked for, and how it is written.
    ///   - read: Reads the rows.
    ///   - render: Makes the feed of them.
    package func feed(_ key: String, read: () async throws -> Reading, render: (Source) async throws -> Feed)
        async throws -> Feed
    {
        if let feed = find(key) { return feed }
        return try await reads.value(for: key) {
            if let feed = find(key) { return feed }
            let reading = try await read()
            let known = entry(key)
            let feed =
                if let known, known.source == reading.source { known.feed } else { try await render(reading.source) }
            if let validator = reading.validator {
                keep(Entry(source: reading.source, feed: feed, validator: validator), key)
            }
            return feed
        }
    }

    private func entry(_ key: String) -> Entry? {
        state.withLock { state in state.young[key] ?? state.old[key] }
    }

    private func keep(_ entry: Entry, _ key: String) {
        let size = bytes(entry.feed)
        state.withLock { state in
            if state.youngBytes + size > Limits.feedsBytesMax / 2 {
                state.old = state.young
                state.young = [:]
                state.youngBytes = 0
            }
            if let before = state.young.updateValue(entry, forKey: key) { state.youngBytes -= bytes(before.feed) }
            state.youngBytes += size
        }
    }
}
