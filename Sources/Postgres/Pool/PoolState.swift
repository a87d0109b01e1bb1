import Concurrency

/// The pool's state machine: it counts connections, queues tasks and decides. Nothing in it waits, connects or closes.
struct PoolState {
    /// What a task may do next.
    enum Grant {
        case use(ParkedSession)
        case connect
        case fail(PostgresError)
    }

    let limits: PoolLimits
    private(set) var isClosed = false
    /// Ordered by last use; the most recently used is last and is lent first.
    private var idle: [ParkedSession] = []
    /// Connections that are idle, lent or being opened.
    private(set) var connectionsCount = 0
    private var connectingCount = 0
    private var queue: [Ticket] = []
    private var grants: [ObjectIdentifier: Grant] = [:]
    private var failures = ConnectFailures()

    var waitersCount: Int { queue.count }
    var idleCount: Int { idle.count }

    init(_ limits: PoolLimits) { self.limits = limits }

    /// Returns an idle connection, the permission to open one, or an error; nil when the ticket was queued instead.
    mutating func lease(_ ticket: Ticket, at now: ContinuousClock.Instant) -> Grant? {
        if isClosed { return .fail(Self.closed) }
        if queue.isEmpty, let grant = nextGrant(at: now) { return grant }
        if let error = failures.lastError, connectionsCount == 0 { return .fail(error) }
        guard queue.count < limits.waitersMax else {
            return .fail(
                PostgresError(.tooManyConnections, safeToRetry: true, message: "too many wait for a connection"))
        }
        queue.append(ticket)
        return nil
    }

    /// Takes a ticket out of the queue. Returns what it has been granted meanwhile, or nil.
    mutating func leave(_ ticket: Ticket) -> Grant? {
        if let grant = grants.removeValue(forKey: ObjectIdentifier(ticket)) { return grant }
        queue.removeAll { $0 === ticket }
        return nil
    }

    mutating func connected() {
        connectingCount -= 1
        failures.end()
    }

    mutating func notConnected(_ error: PostgresError, at now: ContinuousClock.Instant) {
        connectingCount -= 1
        connectionsCount -= 1
        // A cancelled caller says nothing about the server.
        if error.state != .queryCancelled { failures.append(error, at: now) }
    }

    /// Takes a usable session back. Returns it when the caller has to close it instead.
    mutating func giveBack(_ session: ParkedSession) -> ParkedSession? {
        guard !isClosed else {
            connectionsCount -= 1
            return session
        }
        idle.append(session)
        return nil
    }

    mutating func discarded() { connectionsCount -= 1 }

    /// Grants what is available to the queued tickets, first come, first served. Returns the tickets to signal.
    mutating func serve(at now: ContinuousClock.Instant) -> [Ticket] {
        var served: [Ticket] = []
        while served.count < queue.count {
            let grant: Grant
            if isClosed {
                grant = .fail(Self.closed)
            } else if let next = nextGrant(at: now) {
                grant = next
            } else if let error = failures.lastError, connectionsCount == 0 {
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

    /// Takes out the sessions that have been idle since before `time` or have reached their age, or all idle ones once
    /// the pool is closed. The caller closes them.
    mutating func reap(idleSince time: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> [ParkedSession] {
        let isClosed = isClosed
        func ends(_ parked: ParkedSession) -> Bool { isClosed || parked.idleSince < time || parked.retiresAt <= now }
        let reaped = idle.filter(ends)
        idle.removeAll(where: ends)
        connectionsCount -= reaped.count
        return reaped
    }

    mutating func close() { isClosed = true }

    private mutating func nextGrant(at now: ContinuousClock.Instant) -> Grant? {
        if let session = idle.popLast() { return .use(session) }
        guard connectionsCount < limits.connectionsMax, failures.allowAttempt(at: now) else { return nil }
        guard failures.lastError == nil || connectingCount == 0 else { return nil }
        connectionsCount += 1
        connectingCount += 1
        return .connect
    }

    private static var closed: PostgresError {
        PostgresError(.cannotConnectNow, safeToRetry: true, message: "the pool is closed")
    }
}

/// The attempts to reach a server that failed in a row, and the pause after them. While there are some, the pool makes
/// only one attempt at a time.
private struct ConnectFailures {
    private(set) var lastError: PostgresError?
    private var notBefore: ContinuousClock.Instant?
    private var backoff = Backoff(first: .milliseconds(50), longest: .seconds(2))

    func allowAttempt(at now: ContinuousClock.Instant) -> Bool { notBefore.map { $0 <= now } ?? true }

    mutating func append(_ error: PostgresError, at now: ContinuousClock.Instant) {
        lastError = error
        // Attempts that started together fail together and count as one.
        guard allowAttempt(at: now) else { return }
        notBefore = now + backoff.nextAtRandom()
    }

    mutating func end() { self = ConnectFailures() }
}
