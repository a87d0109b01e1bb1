import Domain
import NIOCore
import Synchronization

/// The connections of an event loop that have had their turn and have more requests to be answered. They go on one
/// after the other, and the event loop serves its other connections in between.
///
/// Clients take turns here, so many connections of one client do not delay those of others. While one of them waits,
/// what the client sends over another one waits behind it. In a turn as many of a client's connections go on as
/// together do what one of them may do in a turn; otherwise thousands with one request each would wait for seconds.
///
/// NIO runs tasks before it reads again until none is ready. So there is one turn at a time, and the next one comes
/// after a pause.
final class LoopTurns {
    /// Whose turn it is.
    enum Client: Hashable {
        /// All connections of an IPv4 address or a /64.
        case network(AddressBlock)
        /// A connection whose address counts in no limit, because many clients share it: that of a trusted proxy or of
        /// an event.
        case connection(ObjectIdentifier)

        /// - Parameters:
        ///   - handler: The channel handler of the connection.
        ///   - address: Where it counts; nil if it counts nowhere.
        init(_ handler: AnyObject, countedAs address: IPAddress?) {
            self = address.map { .network(AddressBlock($0)) } ?? .connection(ObjectIdentifier(handler))
        }
    }

    private let eventLoop: any EventLoop
    /// What waits, by client; empty while the last of a client goes on.
    private var lines: [Client: CircularBuffer<() -> Void>] = [:]
    /// Clients in the order of their turns.
    private var order = CircularBuffer<Client>()
    private var isScheduled = false
    /// What goes on: whose turn, and what it has taken and cost.
    private var turn: (client: Client, requests: Int, cost: Int)?
    /// What the input of each client has cost since the present moment began; empty between moments.
    private var spent: [Client: Int] = [:]

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Whether connections of the client wait and it is not its turn. Then another one of it has to rest before it is
    /// answered.
    func isBusy(_ client: Client) -> Bool { lines[client] != nil && turn?.client != client }

    /// Counts a request that is answered.
    func tookRequest() { turn?.requests += 1 }

    /// Counts what a client's input costs the event loop.
    func spend(_ cost: Int, as client: Client) {
        if spent.isEmpty { endMomentSoon() }
        spent[client, default: 0] += cost
        turn?.cost += cost
    }

    /// Whether the client has spent its share of this moment. Then its connections rest before they read on.
    func hasHadShare(_ client: Client) -> Bool { spent[client, default: 0] > Limits.inputShareBytes }

    /// An event loop runs tasks after it has served the connections that were ready. So a moment lasts until then,
    /// however slow the machine is, and thousands of one client's connections do not hold up the others.
    private func endMomentSoon() {
        let turns = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(in: .milliseconds(Limits.inputShareMilliseconds)) {
            turns.value.spent.removeAll(keepingCapacity: true)
        }
    }

    /// Goes on later.
    /// - Parameter goOn: Called once, on the event loop.
    func rest(as client: Client, _ goOn: @escaping () -> Void) {
        if lines[client]?.append(goOn) == nil {
            lines[client] = [goOn]
            order.append(client)
        }
        if !isScheduled { schedule() }
    }

    private func schedule() {
        isScheduled = true
        let turns = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(in: .microseconds(Limits.turnPauseMicroseconds)) { turns.value.next() }
    }

    private func next() {
        guard let client = order.popFirst() else { return }
        turn = (client, 0, 0)
        // Those that rest again meanwhile have their next turn later.
        for _ in 0..<(lines[client]?.count ?? 0) where !isTurnOver {
            let requestsBefore = turn?.requests ?? 0
            lines[client]?.popFirst()?()
            // One that answers nothing counts, too: it may have read a part of a body.
            if turn?.requests == requestsBefore { turn?.requests += 1 }
        }
        turn = nil
        if lines[client]?.isEmpty ?? true { lines[client] = nil } else { order.append(client) }
        if order.isEmpty { isScheduled = false } else { schedule() }
    }

    private var isTurnOver: Bool {
        turn.map { $0.requests >= Limits.answersInTurnMax || $0.cost >= Limits.inputTurnBytes } ?? true
    }

    /// Those of all event loops.
    final class OfLoops: Sendable {
        private let loops = Mutex<[ObjectIdentifier: NIOLoopBound<LoopTurns>]>([:])

        /// Call it on the event loop.
        func turns(on eventLoop: any EventLoop) -> LoopTurns {
            loops.withLock { loops in
                let id = ObjectIdentifier(eventLoop)
                if let known = loops[id] { return known }
                let new = NIOLoopBound(LoopTurns(eventLoop), eventLoop: eventLoop)
                loops[id] = new
                return new
            }.value
        }
    }
}

/// A task executor that runs a connection's tasks on its event loop.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
