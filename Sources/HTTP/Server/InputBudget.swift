import Domain
import Synchronization

/// The room for request bodies that are on their way or being answered, over all connections of a server. The bounds of
/// one connection alone would let many connections together fill the memory.
///
/// Requests without a body never ask it.
final class BodyBudget: Sendable {
    private let bytesMax: Int
    private let taken = Atomic<Int>(0)

    init(bytesMax: Int = Limits.bodiesBytesMax) {
        self.bytesMax = bytesMax
    }

    /// Bytes that are taken now.
    var bytes: Int { taken.load(ordering: .relaxed) }

    /// - Returns: False when there is no room for so many bytes; then none is taken.
    fileprivate func take(bytes count: Int) -> Bool {
        // Counting first and looking then never exceeds the bound. A race can refuse only what hardly had room.
        if taken.wrappingAdd(count, ordering: .relaxed).newValue <= bytesMax { return true }
        giveBack(bytes: count)
        return false
    }

    fileprivate func giveBack(bytes count: Int) {
        taken.wrappingSubtract(count, ordering: .relaxed)
    }
}

/// What one connection has taken of a budget. It gives back no more than it took.
struct BodyShare {
    /// Nil has room for everything.
    private let budget: BodyBudget?
    private(set) var bytes = 0

    init(of budget: BodyBudget?) {
        self.budget = budget
    }

    /// - Returns: False when the budget has no room for so many bytes; then none is taken.
    mutating func take(bytes count: Int) -> Bool {
        guard budget?.take(bytes: count) ?? true else { return false }
        bytes += count
        return true
    }

    mutating func giveBack(bytes count: Int) {
        let count = min(count, bytes)
        guard count > 0 else { return }
        bytes -= count
        budget?.giveBack(bytes: count)
    }

    mutating func giveBackAll() {
        giveBack(bytes: bytes)
    }
}
