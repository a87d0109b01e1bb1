import Domain
package import Logging
import NIOCore
import Synchronization

/// The open connections of clients. It bounds how many there are, in all and for each address; when there is no room,
/// the connection that has been idle longest makes some. A connection is idle while it answers no request, also when
/// one is arriving, and when its client reads too little for ``Limits/stalledSeconds``. Otherwise clients that send
/// or read slowly could block everybody else.
///
/// Behind a trusted proxy everybody shares the proxy's connections. There each request that is slow, or larger than
/// ``Limits/bodyBytesFree``, counts as a connection of the client that the proxy names (``ForwardedClients``), and uses
/// that client's part of the memory budget.
///
/// The counts are shared. They change only when a connection opens or closes, and with slow requests behind proxies.
/// Each event loop tracks its own idle connections, so requests share nothing. A new connection therefore replaces an
/// idle one of its own event loop. All event loops have about equally many, so it is close to the longest idle one.
package final class OpenConnections: Sendable {
    /// How many connections may be open, and what they may hold together.
    package struct Bounds: Sendable {
        package var connectionsMax: Int
        /// Connections of one address (``IPAddress/counted``).
        package var ofAddressMax: Int
        /// Bytes that all connections have sent and that are still held (``MemoryBudget``).
        package var inputBytesMax: Int
        /// Connections that have made room and are still closing.
        package var closingMax = Limits.closingConnectionsMax
        /// How often one address may open a connection; nil has no bound.
        package var ofAddressRate: Rate?

        package init(
            connectionsMax: Int = Limits.clientConnectionsMax, ofAddressMax: Int = Limits.connectionsOfAddress,
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
        var clients: ClientTable
    }

    private enum Admission {
        case admitted(MemoryBudget)
        case addressFull
        case full
    }

    package let bounds: Bounds
    /// The room for what all connections have sent.
    let input: MemoryBudget
    /// The memory budget of all event networks together: half of all, because a hall may share one address.
    private let eventInput: MemoryBudget
    private let proxies: TrustedProxies
    private let eventNetworks: [IPNetwork]
    /// The new connections of each address; nil when they are not bounded.
    private let arrivals: TokenBuckets?
    private let refusals: RefusalLog
    private let counts: Mutex<Counts>
    private let loops = Mutex<[ObjectIdentifier: NIOLoopBound<LoopConnections>]>([:])

    /// - Parameters:
    ///   - proxies: Addresses without a connection limit, because everybody is behind them.
    ///   - eventNetworks: Networks without a connection limit, such as a hall behind one address.
    package init(
        _ bounds: Bounds = Bounds(), proxies: TrustedProxies = TrustedProxies(), eventNetworks: [IPNetwork] = [],
        logger: Logger
    ) {
        self.bounds = bounds
        self.proxies = proxies
        self.eventNetworks = eventNetworks
        input = MemoryBudget(bytesMax: bounds.inputBytesMax)
        eventInput = input.part(of: Limits.blocksFillingInput)
        arrivals = bounds.ofAddressRate.map { TokenBuckets($0) }
        refusals = RefusalLog(logger)
        counts = Mutex(
            Counts(clients: ClientTable(ofAddressMax: bounds.ofAddressMax, of: bounds.connectionsMax, input: input)))
    }

    /// The number of open connections.
    var count: Int { counts.withLock { $0.all } }

    /// The figures for `/metrics`.
    package var use: ClientConnectionUse {
        ClientConnectionUse(
            open: count,
            refused: RefusalLog.Reason.allCases.filter { $0 != .madeRoom }.map { ($0.name, refusals.total($0)) },
            evicted: refusals.total(.madeRoom))
    }

    /// The number of addresses and larger blocks in the table.
    var blocksCount: Int { counts.withLock { $0.clients.count } }

    /// Whether an address may open another connection, which counts in its rate. It costs little and any thread may
    /// ask, so that floods of connections end before they reach an event loop.
    /// - Parameters:
    ///   - address: Nil for a Unix domain socket, which has no connection limit.
    ///   - eventLoop: Logs refusals.
    func admits(_ address: IPAddress?, on eventLoop: any EventLoop) -> Bool {
        guard let address, !proxies.contains(address), !isOfEvent(address) else { return true }
        let counted = address.counted
        if let arrivals, arrivals.take(counted, at: eventLoop.now.uptimeNanoseconds) != nil {
            refusals.add(.tooOften, on: eventLoop)
            return false
        }
        if counts.withLock({ $0.clients.isFull(counted) }) {
            refusals.add(.addressFull, on: eventLoop)
            return false
        }
        return true
    }

    /// Counts a connection that was admitted until its channel closes. Must be called on the channel's event loop.
    /// - Parameter address: Nil for a Unix domain socket, which has no connection limit.
    /// - Returns: Nil when there is no room for it, and the channel is to be closed.
    func open(_ channel: any Channel, from address: IPAddress?) -> OpenConnection? {
        let isProxy = address.map(proxies.contains) ?? false
        let isEvent = !isProxy && address.map(isOfEvent) ?? false
        let counted = isProxy || isEvent ? nil : address?.counted
        let loop = connections(of: channel.eventLoop)
        let exemptInput = isEvent ? eventInput : input
        var admission = admit(counted, exemptInput)
        if case .full = admission, mayClose(), loop.closeLongestIdle() {
            refusals.add(.madeRoom, on: channel.eventLoop)
            admission = admit(counted, exemptInput)
        }
        let input: MemoryBudget
        switch admission {
        case .admitted(let budget): input = budget
        case .addressFull:
            refusals.add(.addressFull, on: channel.eventLoop)
            return nil
        case .full:
            refusals.add(.full, on: channel.eventLoop)
            return nil
        }
        let clients = isProxy ? address.map { ForwardedClients(self, proxies, behind: $0) } : nil
        let connection = OpenConnection(channel, counted, input, clients, in: loop, of: self)
        let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
        channel.closeFuture.whenComplete { _ in bound.value.closed() }
        return connection
    }

    /// Counts a request as a connection of a client behind a proxy.
    /// - Returns: The client's memory budget; nil if the client is at its limit.
    func enter(_ client: IPAddress) -> MemoryBudget? {
        if isOfEvent(client) { return eventInput }
        return counts.withLock { $0.clients.enter(client) }
    }

    func leave(_ client: IPAddress) { if !isOfEvent(client) { counts.withLock { $0.clients.leave(client) } } }

    private func isOfEvent(_ address: IPAddress) -> Bool { eventNetworks.contains { $0.contains(address) } }

    private func admit(_ address: IPAddress?, _ exemptInput: MemoryBudget) -> Admission {
        counts.withLock { counts in
            // An address at its limit must not cause the connections of others to close.
            if let address, counts.clients.isFull(address) { return .addressFull }
            guard counts.all < bounds.connectionsMax else { return .full }
            counts.all += 1
            guard let address, let input = counts.clients.enter(address) else { return .admitted(exemptInput) }
            return .admitted(input)
        }
    }

    /// An address had to be stopped, so it may open fewer connections for a while.
    fileprivate func charge(_ address: IPAddress, at now: NIODeadline) {
        for _ in 0..<Limits.floodChargeConnections where arrivals?.take(address, at: now.uptimeNanoseconds) != nil {
            return
        }
    }

    /// Whether another connection may make room. Otherwise too many that have are still closing.
    private func mayClose() -> Bool { counts.withLock { $0.closing < bounds.closingMax } }

    /// - Parameter isClosing: Whether the channel is yet to close.
    fileprivate func leave(_ address: IPAddress?, isClosing: Bool) {
        counts.withLock { counts in
            counts.all -= 1
            if isClosing { counts.closing += 1 }
            if let address { counts.clients.leave(address) }
        }
    }

    fileprivate func closedAfterMakingRoom() { counts.withLock { $0.closing -= 1 } }

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
    /// Where it counts; nil for trusted proxies and the guests of an event.
    let address: IPAddress?
    private let loop: LoopConnections
    private let all: OpenConnections
    private var isOpen = true
    private var hasMadeRoom = false
    /// The room for what it sends: that of its address, or of all when its address is exempt.
    let input: MemoryBudget
    /// Finds the client of each request; nil unless the peer is a trusted proxy.
    let clients: ForwardedClients?
    private var index = 0

    fileprivate init(
        _ channel: any Channel, _ address: IPAddress?, _ input: MemoryBudget, _ clients: ForwardedClients?,
        in loop: LoopConnections, of all: OpenConnections
    ) {
        self.channel = channel
        self.address = address
        self.input = input
        self.clients = clients
        self.loop = loop
        self.all = all
        index = loop.order.add(self)
    }

    /// No request is being answered from now on. A connection is idle when it is opened.
    func becameIdle() { if isOpen { loop.order.becameIdle(index) } }

    /// A request is being answered, or its response not read, so the connection is not closed to make room.
    func becameBusy() { if isOpen { loop.order.becameBusy(index) } }

    /// The connection ends because its client floods it.
    func chargeForFlood() { if let address { all.charge(address, at: channel.eventLoop.now) } }

    /// The channel has closed.
    fileprivate func closed() { if hasMadeRoom { all.closedAfterMakingRoom() } else { leave() } }

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

/// How many connections of clients are open, and how many were refused or closed for want of room since the start.
package struct ClientConnectionUse: Sendable {
    package let open: Int
    /// New connections that were closed at once, by reason.
    package let refused: [(reason: String, count: Int)]
    /// Idle connections that were closed to make room for new ones.
    package let evicted: Int
}
