/// Who has which connection and who waits for one. Decisions only: nothing here waits, connects or closes.
struct PoolState {
    /// What a task may do next.
    enum Grant {
        case use(ParkedSession)
        case connect
        case fail(PostgresError)
    }

    let limits: PoolLimits
    private(set) var isClosed = false
    /// The most recently used is last, and is the first to be lent again.
    private var idle: [ParkedSession] = []
    /// Open, lent or being connected.
    private(set) var connectionsCount = 0
    private var connectingCount = 0
    private var queue: [Ticket] = []
    private var grants: [ObjectIdentifier: Grant] = [:]
    private var backoff = Backoff()

    var waitersCount: Int { queue.count }

    init(_ limits: PoolLimits) { self.limits = limits }

    /// A connection, leave to open one, or a refusal, at once; nil after queueing the ticket.
    mutating func lease(_ ticket: Ticket, at now: ContinuousClock.Instant) -> Grant? {
        if isClosed { return .fail(Self.closed) }
        if queue.isEmpty, let grant = nextGrant(at: now) { return grant }
        if let error = backoff.lastError, connectionsCount == 0 { return .fail(error) }
        guard queue.count < limits.waitersMax else {
            return .fail(
                PostgresError(.tooManyConnections, safeToRetry: true, message: "too many wait for a connection")
            )
        }
        queue.append(ticket)
        return nil
    }

    /// Takes a ticket out of the queue. Returns what it was granted before it could leave, if anything.
    mutating func leave(_ ticket: Ticket) -> Grant? {
        if let grant = grants.removeValue(forKey: ObjectIdentifier(ticket)) { return grant }
        queue.removeAll { $0 === ticket }
        return nil
    }

    mutating func connected() {
        connectingCount -= 1
        backoff.succeeded()
    }

    mutating func notConnected(_ error: PostgresError, at now: ContinuousClock.Instant) {
        connectingCount -= 1
        connectionsCount -= 1
        // A caller that gave up says nothing about the server.
        if error.state != .queryCancelled { backoff.failed(error, at: now) }
    }

    /// Takes a usable session back. Returns it when it is to be closed instead.
    mutating func giveBack(_ session: ParkedSession) -> ParkedSession? {
        guard !isClosed else {
            connectionsCount -= 1
            return session
        }
        idle.append(session)
        return nil
    }

    mutating func discarded() { connectionsCount -= 1 }

    /// Grants what there is to those who wait, first come, first served. Returns the tickets to signal.
    mutating func serve(at now: ContinuousClock.Instant) -> [Ticket] {
        var served: [Ticket] = []
        while served.count < queue.count {
            let grant: Grant
            if isClosed {
                grant = .fail(Self.closed)
            } else if let next = nextGrant(at: now) {
                grant = next
            } else if let error = backoff.lastError, connectionsCount == 0 {
                grant = .fail(error)
            } else {
                break
            }
            let ticket = queue[served.count]
            grants[ObjectIdentifier(ticket)] = grant
            served.append(ticket)
        }
        queue.removeFirst(served.count)
        return served
    }

    /// Takes out what has been idle since before `time`; all of it once the pool is closed.
    mutating func reap(idleSince time: ContinuousClock.Instant) -> [ParkedSession] {
        let reaped = idle.filter { isClosed || $0.idleSince < time }
        idle.removeAll { isClosed || $0.idleSince < time }
        connectionsCount -= reaped.count
        return reaped
    }

    mutating func close() { isClosed = true }

    private mutating func nextGrant(at now: ContinuousClock.Instant) -> Grant? {
        if let session = idle.popLast() { return .use(session) }
        guard connectionsCount < limits.connectionsMax, backoff.allows(at: now) else { return nil }
        guard !backoff.isFailing || connectingCount == 0 else { return nil }
        connectionsCount += 1
        connectingCount += 1
        return .connect
    }

    private static var closed: PostgresError {
        PostgresError(.cannotConnectNow, safeToRetry: true, message: "the pool is closed")
    }
}
