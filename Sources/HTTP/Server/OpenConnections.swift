import Domain
package import Logging
import NIOCore
import Synchronization

/// The open connections of clients. It bounds how many there are, in all and for each address; when there is no room,
/// the connection that has been idle longest makes some. A connection is idle while it answers no request, also when
/// one is coming: else clients that send slowly could keep everybody out.
///
/// The counts are shared, and change only when a connection opens or closes. Which connections are idle is known for
/// each event loop, on that event loop, so requests share nothing. A new connection therefore takes the place of one of
/// its own event loop. The system gives every event loop as many connections, so that is close to the longest idle one.
package final class OpenConnections: Sendable {
    /// How many connections may be open, and what they may hold together.
    package struct Bounds: Sendable {
        package var connectionsMax: Int
        /// Connections of one address (``IPAddress/counted``).
        package var ofAddressMax: Int
        /// Bytes that all connections have sent and that are still held (``InputBudget``).
        package var inputBytesMax: Int
        /// Connections that have made room and are still closing.
        package var closingMax = Limits.closingConnectionsMax
        /// How often one address may open a connection; nil has no bound.
        package var ofAddressRate: Rate?

        package init(
            connectionsMax: Int = Limits.clientConnectionsMax,
            ofAddressMax: Int = Limits.connectionsOfAddress,
            inputBytesMax: Int = Limits.inputBytesMax
        ) {
            self.connectionsMax = connectionsMax
            self.ofAddressMax = ofAddressMax
            self.inputBytesMax = inputBytesMax
        }
    }

    private struct Counts {
        var all = 0
        /// Connections that have made room and whose channels have not closed yet. They still take a file descriptor.
        var closing = 0
        /// Holds the addresses of open connections only, so it has no more entries than there are connections.
        var ofAddress: [IPAddress: AddressUse] = [:]
    }

    /// What the open connections of one address have.
    private struct AddressUse {
        var connections = 0
        let input: InputBudget
    }

    private enum Admission {
        case admitted(InputBudget)
        case addressFull
        case full
    }

    package let bounds: Bounds
    /// The room for what all connections have sent.
    let input: InputBudget
    private let isExempt: @Sendable (IPAddress) -> Bool
    /// The new connections of each address; nil when they are not bounded.
    private let arrivals: TokenBuckets?
    private let refusals: RefusalLog
    private let counts = Mutex(Counts())
    private let loops = Mutex<[ObjectIdentifier: NIOLoopBound<LoopConnections>]>([:])

    /// - Parameter isExempt: Whether an address may have any number of connections and all the room for what they send,
    ///   as proxies must. A Unix domain socket has no address and is always exempt.
    package init(
        _ bounds: Bounds = Bounds(),
        isExempt: @escaping @Sendable (IPAddress) -> Bool = { _ in false },
        logger: Logger
    ) {
        self.bounds = bounds
        input = InputBudget(bytesMax: bounds.inputBytesMax)
        self.isExempt = isExempt
        arrivals = bounds.ofAddressRate.map { TokenBuckets($0) }
        refusals = RefusalLog(logger)
    }

    /// The bounds on an address's connections are lifted for the networks of events, and for trusted proxies, behind
    /// which everybody is. Where no rates are limited, that of new connections is not either.
    package convenience init(_ bounds: Bounds, proxies: TrustedProxies, rates: RateSettings, logger: Logger) {
        let events = rates.eventNetworks
        var bounds = bounds
        bounds.ofAddressRate =
            rates.areOn ? Rate(Limits.newConnectionsPerSecond, per: .second, burst: Limits.newConnectionsAtOnce) : nil
        self.init(
            bounds,
            isExempt: { address in proxies.contains(address) || events.contains { $0.contains(address) } },
            logger: logger
        )
    }

    /// The number of open connections.
    var count: Int { counts.withLock { $0.all } }

    /// The figures for `/metrics`.
    package var use: ClientConnectionUse {
        ClientConnectionUse(
            open: count,
            refused: RefusalLog.Reason.allCases.filter { $0 != .madeRoom }.map { ($0.name, refusals.total($0)) },
            evicted: refusals.total(.madeRoom)
        )
    }

    /// The number of addresses that are counted.
    var addressesCount: Int { counts.withLock { $0.ofAddress.count } }

    /// Counts a connection until its channel closes. Must be called on the channel's event loop.
    /// - Returns: Nil when there is no room for it, and the channel is to be closed.
    func open(_ channel: any Channel, from address: IPAddress?) -> OpenConnection? {
        let counted = address.flatMap { isExempt($0) ? nil : $0.counted }
        if let arrivals, let counted,
            arrivals.take(BucketKey(counted), at: channel.eventLoop.now.uptimeNanoseconds) != nil
        {
            refusals.add(.tooOften, on: channel.eventLoop)
            return nil
        }
        let loop = connections(of: channel.eventLoop)
        var admission = admit(counted)
        if case .full = admission, mayClose(), loop.closeLongestIdle() {
            refusals.add(.madeRoom, on: channel.eventLoop)
            admission = admit(counted)
        }
        let input: InputBudget
        switch admission {
        case .admitted(let budget): input = budget
        case .addressFull:
            refusals.add(.addressFull, on: channel.eventLoop)
            return nil
        case .full:
            refusals.add(.full, on: channel.eventLoop)
            return nil
        }
        let connection = OpenConnection(channel, counted, input, in: loop, of: self)
        let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
        channel.closeFuture.whenComplete { _ in bound.value.closed() }
        return connection
    }

    private func admit(_ address: IPAddress?) -> Admission {
        counts.withLock { counts in
            let known = address.flatMap { counts.ofAddress[$0] }
            if let known, known.connections >= bounds.ofAddressMax { return .addressFull }
            if counts.all >= bounds.connectionsMax { return .full }
            counts.all += 1
            guard let address else { return .admitted(input) }
            var use = known ?? AddressUse(input: input.ofAddress())
            use.connections += 1
            counts.ofAddress[address] = use
            return .admitted(use.input)
        }
    }

    /// Whether another connection may make room. Otherwise too many that have are still closing.
    private func mayClose() -> Bool { counts.withLock { $0.closing < bounds.closingMax } }

    /// - Parameter isClosing: Whether the channel is yet to close.
    fileprivate func leave(_ address: IPAddress?, isClosing: Bool) {
        counts.withLock { counts in
            counts.all -= 1
            if isClosing { counts.closing += 1 }
            guard let address, var use = counts.ofAddress[address] else { return }
            use.connections -= 1
            counts.ofAddress[address] = use.connections > 0 ? use : nil
        }
    }

    fileprivate func closedAfterMakingRoom() {
        counts.withLock { $0.closing -= 1 }
    }

    private func connections(of eventLoop: any EventLoop) -> LoopConnections {
        loops.withLock { loops in
            let id = ObjectIdentifier(eventLoop)
            if let known = loops[id] { return known }
            let new = NIOLoopBound(LoopConnections(), eventLoop: eventLoop)
            loops[id] = new
            return new
        }.value
    }
}

/// The connections of one event loop, in the order in which they became idle.
private final class LoopConnections {
    var order = IdleOrder<OpenConnection>()

    /// - Returns: False when no connection is idle.
    func closeLongestIdle() -> Bool {
        guard let connection = order.longestIdle else { return false }
        connection.makeRoom()
        return true
    }
}

/// A connection that is counted as open. It belongs to its channel's event loop.
final class OpenConnection {
    private let channel: any Channel
    private let address: IPAddress?
    private let loop: LoopConnections
    private let all: OpenConnections
    private var isOpen = true
    private var hasMadeRoom = false
    /// The room for what it sends: that of its address, or of all when its address is exempt.
    let input: InputBudget
    private var index = 0

    fileprivate init(
        _ channel: any Channel,
        _ address: IPAddress?,
        _ input: InputBudget,
        in loop: LoopConnections,
        of all: OpenConnections
    ) {
        self.channel = channel
        self.address = address
        self.input = input
        self.loop = loop
        self.all = all
        index = loop.order.add(self)
    }

    /// No request is being answered from now on. A connection is idle when it is opened.
    func becameIdle() {
        if isOpen { loop.order.becameIdle(index) }
    }

    /// A request is being answered, or its response not read, so the connection is not closed to make room.
    func becameBusy() {
        if isOpen { loop.order.becameBusy(index) }
    }

    /// The channel has closed.
    fileprivate func closed() {
        if hasMadeRoom { all.closedAfterMakingRoom() } else { leave() }
    }

    private func leave() {
        isOpen = false
        loop.order.remove(index)
        all.leave(address, isClosing: hasMadeRoom)
    }

    /// Gives up the connection's place at once, because its channel takes a moment to close.
    fileprivate func makeRoom() {
        hasMadeRoom = true
        leave()
        channel.close(promise: nil)
    }
}
