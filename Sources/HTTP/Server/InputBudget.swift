import Domain
import Synchronization

/// The room for what clients have sent and a server still holds, over all its connections: request bodies that are on
/// their way or being answered, and bytes that are not parsed yet. The bounds of one connection alone would let many
/// connections together fill the memory.
///
/// An address has a budget of its own within that of all, so that a few addresses cannot keep everybody else from
/// sending. Requests without a body never ask either.
final class InputBudget: Sendable {
    private let bytesMax: Int
    /// The budget that this one is a part of.
    private let whole: InputBudget?
    private let taken = Atomic<Int>(0)

    init(bytesMax: Int = Limits.inputBytesMax, of whole: InputBudget? = nil) {
        self.bytesMax = bytesMax
        self.whole = whole
    }

    /// Bytes that are taken now.
    var bytes: Int { taken.load(ordering: .relaxed) }

    /// The budget of one address.
    func ofAddress() -> InputBudget {
        InputBudget(bytesMax: bytesMax / Limits.addressesFillingInput, of: self)
    }

    /// - Returns: False when there is no room for so many bytes; then none is taken.
    fileprivate func take(bytes count: Int) -> Bool {
        // Counting first and looking then never exceeds the bound. A race can refuse only what hardly had room.
        if taken.wrappingAdd(count, ordering: .relaxed).newValue <= bytesMax, whole?.take(bytes: count) ?? true {
            return true
        }
        taken.wrappingSubtract(count, ordering: .relaxed)
        return false
    }

    fileprivate func giveBack(bytes count: Int) {
        taken.wrappingSubtract(count, ordering: .relaxed)
        whole?.giveBack(bytes: count)
    }
}

/// What one connection has taken of a budget. It gives back no more than it took.
struct InputShare {
    /// Nil has room for everything.
    private let budget: InputBudget?
    private(set) var bytes = 0

    init(of budget: InputBudget?) {
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
