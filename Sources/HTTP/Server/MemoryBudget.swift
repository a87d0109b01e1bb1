import Domain
import Synchronization

/// The room for what clients have sent and a server still holds, over all its connections: request bodies that are on
/// their way or being answered, and bytes that are not parsed yet. The bounds of one connection alone would let many
/// connections together fill the memory.
///
/// Each client may use only a part of it, so that a few clients cannot block the others. The first
/// ``Limits/bodyBytesFree`` of a connection's body are free, so scores always pass.
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

    /// A budget for a part of this one's bytes.
    /// - Parameters:
    ///   - parts: The part is 1/parts of this budget.
    ///   - whole: The budget that the part also counts towards, which is another part of this one; nil for this one.
    func part(of parts: Int, in whole: InputBudget? = nil) -> InputBudget {
        InputBudget(bytesMax: bytesMax / parts, of: whole ?? self)
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

/// What one connection, or one request behind a proxy, uses of a budget. It returns no more than it took.
struct InputShare {
    /// Nil has room for everything.
    private var budget: InputBudget?
    /// Bytes that do not count towards the budget.
    private let free: Int
    /// The forwarded client that the share is counted for, if any.
    private var place: ForwardedPlace?
    private(set) var bytes = 0

    init(of budget: InputBudget?, free: Int = 0) {
        self.budget = budget
        self.free = free
    }

    /// Whether more bytes would count towards the budget.
    func needsRoom(bytes count: Int) -> Bool { bytes + count > free }

    /// - Returns: False when the budget has no room for so many bytes; then none is taken.
    mutating func take(bytes count: Int) -> Bool {
        let charge = charge(bytes + count) - charge(bytes)
        guard charge == 0 || budget?.take(bytes: charge) ?? true else { return false }
        bytes += count
        return true
    }

    mutating func giveBack(bytes count: Int) {
        let count = min(count, bytes)
        guard count > 0 else { return }
        let charge = charge(bytes) - charge(bytes - count)
        bytes -= count
        if charge > 0 { budget?.giveBack(bytes: charge) }
    }

    /// Returns all bytes, and the count of a forwarded client.
    mutating func giveBackAll() {
        giveBack(bytes: bytes)
        guard let place else { return }
        self.place = nil
        place.leave()
    }

    private func charge(_ bytes: Int) -> Int { max(0, bytes - free) }

    /// Counts a request that came through a proxy for its client, once it is slow or large. Bytes before that were
    /// free.
    /// - Parameter clients: Nil if every request of the connection has the same client.
    /// - Returns: False if the client is at its limit.
    mutating func claimPlace(_ clients: ForwardedClients?, headers: @autoclosure () -> RequestHeaders) -> Bool {
        guard let clients, place == nil else { return true }
        guard let place = clients.enter(headers()) else { return false }
        (self.place, budget) = (place, place.input)
        return true
    }
}
