import Domain
import Synchronization

// What players are told of themselves. No stream of the database says when that changes, as no process follows wallets:
// so one statement asks about many players at once whether it is worth reading anew.
extension LiveHub {
    /// The topics about whose players is to be asked, those that have waited longest. None while others are asked
    /// about.
    func ownTopics(_ topics: [LiveTopic], at tick: UInt64) -> [LiveTopic] {
        var due: [(topic: LiveTopic, since: UInt64)] = []
        for topic in topics where topic.token != nil {
            topic.state.withLock { state in
                if !state.isQueued, !state.isOver, tick >= state.nextTick { due.append((topic, state.nextTick)) }
            }
        }
        guard !due.isEmpty, !isAsking.exchange(true, ordering: .acquiringAndReleasing) else { return [] }
        if due.count > Limits.liveOwnPerLook { due.sort { $0.since < $1.since } }
        let asked = due.prefix(Limits.liveOwnPerLook).map(\.topic)
        for topic in asked { topic.state.withLock { $0.isQueued = true } }
        return asked
    }

    /// Asks about players, and reads those anew of whom something has changed.
    func ask(about topics: [LiveTopic]) async {
        let tick = tick
        var changed: [LiveTopic] = []
        do {
            let versions = try await ownVersions(topics.compactMap(\.token))
            for topic in topics where !isSame(topic, as: topic.token.flatMap { versions[$0] }, at: tick) {
                changed.append(topic)
            }
        } catch {
            // The database may be away: what was told stays, and the next question comes later.
            for topic in topics {
                topic.state.withLock { ($0.isQueued, $0.nextTick) = (false, tick &+ Limits.liveTicksWithSQL) }
            }
        }
        isAsking.store(false, ordering: .releasing)
        let readsCount = enqueue(changed)
        await withDiscardingTaskGroup { group in for _ in 0..<readsCount { group.addTask { await self.readQueue() } } }
    }

    /// Whether a topic need not be read. It does not count as queued any more then.
    private func isSame(_ topic: LiveTopic, as version: Int64?, at tick: UInt64) -> Bool {
        topic.state.withLock { state in
            // A stream may have begun with a state that others have not been told.
            guard let version, version == state.version, tick < state.anewTick, state.newest.id == state.message.id
            else { return false }
            (state.isQueued, state.nextTick) = (false, tick &+ Limits.liveTicksOfOwn)
            return true
        }
    }
}
