import Domain
import Synchronization

/// The room for what a server holds for its clients, over all its connections: what they have sent, which are request
/// bodies that are on their way or being answered and bytes that are not parsed yet; and, with as much room of its own,
/// what they have not read of their responses. The bounds of one connection alone would let many connections together
/// fill the memory.
///
/// Each client may use only a part of it, so that a few clients cannot block the others. The first
/// ``Limits/bodyBytesFree`` of a connection's body are free, so scores always pass.
final class MemoryBudget: Sendable {
    /// What takes room.
    enum Kind {
        /// What clients have sent.
        case received
        /// What clients have not read.
        case unread
    }

    private let bytesMax: Int
    /// The budget that this one is a part of.
    private let whole: MemoryBudget?
    private let received = Atomic<Int>(0)
    private let unread = Atomic<Int>(0)

    init(bytesMax: Int = Limits.inputBytesMax, of whole: MemoryBudget? = nil) {
        self.bytesMax = bytesMax
        self.whole = whole
    }

    /// Bytes that are taken now by what clients have sent, and by what they have not read.
    var bytes: Int { received.load(ordering: .relaxed) }
    var unreadBytes: Int { unread.load(ordering: .relaxed) }

    /// Whether more than half of the room for what is not read is taken: of this budget, or of one it is a part of.
    var isTight: Bool { unreadBytes > bytesMax / 2 || whole?.isTight ?? false }

    /// A budget for a part of this one's bytes.
    /// - Parameters:
    ///   - parts: The part is 1/parts of this budget.
    ///   - whole: The budget that the part also counts towards, which is another part of this one; nil for this one.
    func part(of parts: Int, in whole: MemoryBudget? = nil) -> MemoryBudget {
        MemoryBudget(bytesMax: bytesMax / parts, of: whole ?? self)
    }

    /// - Returns: False when there is no room for so many bytes; then none is taken.
    fileprivate func take(_ kind: Kind, bytes count: Int) -> Bool {
        // Counting first and looking then never exceeds the bound. A race can refuse only what hardly had room.
        if add(count, to: kind) <= bytesMax, whole?.take(kind, bytes: count) ?? true { return true }
        _ = add(-count, to: kind)
        return false
    }

    fileprivate func giveBack(_ kind: Kind, bytes count: Int) {
        _ = add(-count, to: kind)
        whole?.giveBack(kind, bytes: count)
    }

    /// - Returns: The bytes that are taken then.
    private func add(_ count: Int, to kind: Kind) -> Int {
        switch kind {
        case .received: received.wrappingAdd(count, ordering: .relaxed).newValue
        case .unread: unread.wrappingAdd(count, ordering: .relaxed).newValue
        }
    }
}

/// What one connection, or one request behind a proxy, uses of a budget. It returns no more than it took.
struct MemoryShare {
    /// Nil has room for everything.
    private var budget: MemoryBudget?
    /// Bytes that do not count towards the budget.
    private let free: Int
    private let kind: MemoryBudget.Kind
    /// The forwarded client that the share is counted for, if any.
    private var place: ForwardedPlace?
    private(set) var bytes = 0

    init(of budget: MemoryBudget?, free: Int = 0, for kind: MemoryBudget.Kind = .received) {
        self.budget = budget
        self.free = free
        self.kind = kind
    }

    /// Whether more bytes would count towards the budget.
    func needsRoom(bytes count: Int) -> Bool { bytes + count > free }

    /// - Returns: False when the budget has no room for so many bytes; then none is taken.
    mutating func take(bytes count: Int) -> Bool {
        let charge = charge(bytes + count) - charge(bytes)
        guard charge == 0 || budget?.take(kind, bytes: charge) ?? true else { return false }
        bytes += count
        return true
    }

    mutating func giveBack(bytes count: Int) {
        let count = min(count, bytes)
        guard count > 0 else { return }
        let charge = charge(bytes) - charge(bytes - count)
        bytes -= count
        if charge > 0 { budget?.giveBack(kind, bytes: charge) }
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
