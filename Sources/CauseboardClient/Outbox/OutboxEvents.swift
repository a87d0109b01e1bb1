public import Foundation

/// What a watcher of the queue is told.
public enum OutboxEvent: Sendable {
    /// The queue as it is when watching begins.
    case status(OutboxStatus)
    /// An item is on disk.
    case queued(PendingWrite)
    /// The server has answered an item, for good.
    case settled(PendingWrite, Settlement)
    /// The server failed on an item again and again. It stays, and is tried again when the game starts or resumes.
    case setAside(PendingWrite)
    /// Nothing could be sent; the queue tries again by itself after this time.
    case waiting(Duration)
    /// Nothing is sent until the game has dealt with this: see ``CauseboardError``.
    case stopped(CauseboardError)
    /// The server refused a name that was asked for without a network, and says why. The player keeps the former name,
    /// and the queue goes on; ask the player for another.
    case nameRefused(String)
}

/// The queue at one moment.
public struct OutboxStatus: Sendable {
    /// In the order in which they are sent.
    public let pending: [PendingWrite]
    /// What the server refused and the game has not dismissed, oldest first.
    public let refused: [RefusedWrite]
    /// Items that the server failed on; they are pending, too.
    public let setAside: Set<UUID>
    /// Why nothing is sent; nil when the queue works.
    public let stoppedBy: CauseboardError?
    /// What the device could not keep when it was tried last, such as on a full disk; nil when that went well. The
    /// queue goes on by itself: what could not be noted is sent once more after the next start, which is harmless.
    public let storageError: CauseboardError?
    /// Lines of the queue's file that were damaged when the game was opened. Each may have been a post or a donation
    /// that had been taken and is lost; a post among them is `unknown` on the device's own board.
    public let damagedLines: Int
    /// Refused posts and donations that were forgotten since the game was opened, because more came than are kept.
    public let forgottenRefusals: Int
    /// What ``OutboxEvent/nameRefused(_:)`` told last, until the game resumes or the player signs in.
    public let nameRefusal: String?
}

/// Those who watch the queue.
struct Watchers {
    private var watchers: [UUID: AsyncStream<OutboxEvent>.Continuation] = [:]

    /// - Parameter ended: It hears that the watcher does not watch any more.
    mutating func add(_ ended: @escaping @Sendable (UUID) -> Void) -> (id: UUID, events: AsyncStream<OutboxEvent>) {
        let id = UUID()
        let (events, watcher) = AsyncStream.makeStream(
            of: OutboxEvent.self, bufferingPolicy: .bufferingNewest(Limits.eventsMax))
        watcher.onTermination = { _ in ended(id) }
        watchers[id] = watcher
        return (id, events)
    }

    mutating func remove(_ id: UUID) { watchers[id] = nil }

    func tell(_ event: OutboxEvent, only id: UUID? = nil) {
        if let id { watchers[id]?.yield(event) } else { for watcher in watchers.values { watcher.yield(event) } }
    }

    func end() { for watcher in watchers.values { watcher.finish() } }
}
