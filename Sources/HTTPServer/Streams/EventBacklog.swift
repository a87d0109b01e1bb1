import Domain
import Synchronization

/// The room for events that clients have not read yet, over all streams.
package final class BacklogBudget: Sendable {
    private let bytesMax: Int
    private let taken = Atomic<Int>(0)

    package init(bytesMax: Int = Limits.liveBacklogsBytesMax) { self.bytesMax = bytesMax }

    /// Bytes that are taken now.
    package var bytes: Int { taken.load(ordering: .relaxed) }

    fileprivate func take(bytes count: Int) -> Bool {
        if taken.wrappingAdd(count, ordering: .relaxed).newValue <= bytesMax { return true }
        giveBack(bytes: count)
        return false
    }

    fileprivate func giveBack(bytes count: Int) { taken.wrappingSubtract(count, ordering: .relaxed) }
}

/// How far the client of one stream is behind.
struct EventBacklog {
    /// Nil has room for everything.
    private let budget: BacklogBudget?
    /// Bytes that were written and have not left yet.
    private(set) var bytes = 0
    /// Bytes of them that were taken of the budget. The first event under way is not, so a stream whose client keeps up
    /// never asks.
    private var takenBytes = 0

    init(of budget: BacklogBudget?) { self.budget = budget }

    /// - Returns: False when the client is too far behind; then nothing is added.
    mutating func add(bytes count: Int) -> Bool {
        if bytes > 0 {
            guard bytes + count <= Limits.liveBacklogBytesMax, budget?.take(bytes: count) ?? true else { return false }
            takenBytes += count
        }
        bytes += count
        return true
    }

    mutating func sent(bytes count: Int) {
        bytes -= min(count, bytes)
        giveBack(bytes: bytes == 0 ? takenBytes : min(count, takenBytes))
    }

    mutating func clear() {
        bytes = 0
        giveBack(bytes: takenBytes)
    }

    private mutating func giveBack(bytes count: Int) {
        guard count > 0 else { return }
        takenBytes -= count
        budget?.giveBack(bytes: count)
    }
}
