import Domain
import Leaderboard
import Synchronization

/// Feeds as they were rendered last: made once, by the first reader of a changed feed, and used again for as long as
/// what they show is the same.
///
/// A feed is current while nothing that it was read from has changed. When something has, its rows are read again; only
/// if they differ is it rendered anew.
final class FeedCache: Sendable {
    private struct Entry: Sendable {
        let source: any Equatable & Sendable
        let entity: Entity
        let validator: CacheValidator
    }

    private struct State {
        /// Two generations: when the young one is full it becomes the old one, and the old one is forgotten.
        var young: [String: Entry] = [:]
        var old: [String: Entry] = [:]
        var youngBytes = 0
    }

    private let rankings: Rankings
    private let state = Mutex(State())
    private let reads = SingleFlight<Entity>()

    init(_ rankings: Rankings) {
        self.rankings = rankings
    }

    /// - Returns: Nil unless the feed is there and current.
    func find(_ key: String) -> Entity? {
        guard let entry = entry(key), rankings.isCurrent(entry.validator) else { return nil }
        return entry.entity
    }

    /// Those who ask for the same at the same time share one reading.
    /// - Parameters:
    ///   - key: Names what is asked for, and how it is written.
    ///   - read: Reads the rows.
    ///   - render: Writes the feed of what was read.
    func feed<Source: Equatable & Sendable>(
        _ key: String,
        read: () async throws -> FeedReading<Source>,
        render: (Source) async throws -> Entity
    ) async throws -> Entity {
        if let entity = find(key) { return entity }
        return try await reads.value(for: key) {
            if let entity = find(key) { return entity }
            let reading = try await read()
            let known = entry(key)
            let entity =
                if let known, known.source as? Source == reading.source { known.entity } else {
                    try await render(reading.source)
                }
            if let validator = reading.validator {
                keep(Entry(source: reading.source, entity: entity, validator: validator), key)
            }
            return entity
        }
    }

    private func entry(_ key: String) -> Entry? {
        state.withLock { state in state.young[key] ?? state.old[key] }
    }

    private func keep(_ entry: Entry, _ key: String) {
        let size = entry.entity.bytesCount
        state.withLock { state in
            if state.youngBytes + size > Limits.feedsBytesMax / 2 {
                state.old = state.young
                state.young = [:]
                state.youngBytes = 0
            }
            if let before = state.young.updateValue(entry, forKey: key) { state.youngBytes -= before.entity.bytesCount }
            state.youngBytes += size
        }
    }
}

/// What a feed shows, before it is written.
struct FeedReading<Source: Equatable & Sendable>: Sendable {
    let source: Source
    /// Nil for what cannot be cached.
    let validator: CacheValidator?

    init(_ source: Source, _ validator: CacheValidator? = nil) {
        self.source = source
        self.validator = validator
    }
}
