import Domain
import Synchronization

/// The room for what clients have sent and a server still holds, over all its connections: request bodies that are on
/// their way or being answered, and bytes that are not parsed yet. The bounds of one connection alone would let many
/// connections together fill the memory.
///
/// Every client has a part of it, so that a few clients cannot keep everybody else from sending. The first
/// ``Limits/bodyBytesFree`` of a connection's body never ask for room, so posts pass however full it is.
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
    ///   - parts: How many of them make this one full.
    ///   - whole: What the part is taken from, too: another part of this one; nil for this one.
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

/// What one connection, or one request behind a proxy, has taken of a budget. It gives back no more than it took.
struct InputShare {
    /// Nil has room for everything.
    private var budget: InputBudget?
    /// Bytes that do not count in the budget.
    private let free: Int
    /// The place of a forwarded client, as long as the share has one.
    private var place: ForwardedPlace?
    private(set) var bytes = 0

    init(of budget: InputBudget?, free: Int = 0) {
        self.budget = budget
        self.free = free
    }

    /// Whether so many more bytes would count in the budget.
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

    /// Gives back all bytes, and the place of a forwarded client.
    mutating func giveBackAll() {
        giveBack(bytes: bytes)
        guard let place else { return }
        self.place = nil
        place.leave()
    }

    private func charge(_ bytes: Int) -> Int { max(0, bytes - free) }

    /// Takes a place for the client of a request that came through a proxy, once it is slow or large. What was taken
    /// before was free.
    /// - Parameter clients: Nil where every request of the connection has the same client.
    /// - Returns: False when the client has no place left.
    mutating func claimPlace(_ clients: ForwardedClients?, headers: @autoclosure () -> RequestHeaders) -> Bool {
        guard let clients, place == nil else { return true }
        guard let place = clients.enter(headers()) else { return false }
        (self.place, budget) = (place, place.input)
        return true
    }
}
