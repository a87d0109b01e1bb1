import CPQ
import Glibc
import Synchronization

/// The one thread that watches every socket and every deadline of this process.
///
/// A wait costs one `epoll_ctl`: sockets are armed for one event each (EPOLLONESHOT), and the thread looks through the
/// deadlines only when the earliest of them may have come. An event carries its registration's number and not an
/// address, so that a late one finds nothing.
final class Poller: Sendable {
    struct Registration: Hashable { fileprivate let number: UInt64 }

    private struct State {
        var waiters: [UInt64: Waiter] = [:]
        var numbersGiven: UInt64 = 0
        /// No deadline is earlier than this; nil while there is none at all.
        var alarm: ContinuousClock.Instant?
    }

    private let epoll: Int32
    private let bell: Int32
    private let state = Mutex(State())

    private static let running = Mutex<Poller?>(nil)

    /// The process's poller, started at its first use. It lives as long as the process.
    /// - Throws: 53000 when the system has no descriptor or thread to give.
    static func shared() throws(PostgresError) -> Poller {
        do {
            return try running.withLock { running throws(PostgresError) in
                if let running { return running }
                let poller = try Poller()
                try HelperThread.start { poller.run() }
                running = poller
                return poller
            }
        }
    }

    private init() throws(PostgresError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
        guard epoll >= 0, bell >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, bell, &event) == 0 else {
            let code = errno
            Glibc.close(epoll)
            Glibc.close(bell)
            throw PostgresError(.insufficientResources, safeToRetry: true, message: "no epoll: errno \(code)")
        }
    }

    /// Takes in a waiter, whose deadlines are kept from now on, and a socket for it to wait for.
    /// It must be taken out again by `remove`, before the socket is closed.
    func add(_ waiter: Waiter, socket: Int32? = nil) -> Registration {
        let number = state.withLock { state in
            state.numbersGiven += 1
            state.waiters[state.numbersGiven] = waiter
            return state.numbersGiven
        }
        if let socket {
            var event = epoll_event(events: Self.hangUpOnce, data: epoll_data_t(u64: number))
            _ = epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event)  // if this fails, so does arming it, which is where it is heeded
        }
        return Registration(number: number)
    }

    /// Hang-ups and errors are reported also of a socket that nobody waits for: once is enough.
    private static var hangUpOnce: UInt32 { EPOLLONESHOT.rawValue }

    func remove(_ registration: Registration, socket: Int32? = nil) {
        if let socket { _ = epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nil) }
        _ = state.withLock { $0.waiters.removeValue(forKey: registration.number) }
    }

    /// Lets the next event of a socket fire its waiter, once. An error or the end of the stream is an event too.
    /// - Returns: False when the socket cannot be watched; there will be no event.
    func arm(_ registration: Registration, socket: Int32, forWriting: Bool) -> Bool {
        let events =
            EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue | (forWriting ? EPOLLOUT.rawValue : 0)
        var event = epoll_event(events: events, data: epoll_data_t(u64: registration.number))
        return epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) == 0
    }

    /// Sees to it that waiters are looked at when this time has come.
    func keep(_ deadline: ContinuousClock.Instant) {
        let isEarliest = state.withLock { state in
            if let alarm = state.alarm, alarm <= deadline { return false }
            state.alarm = deadline
            return true
        }
        guard isEarliest else { return }
        var one: UInt64 = 1
        _ = Glibc.write(bell, &one, MemoryLayout<UInt64>.size)
    }
}

extension Poller {
    private static let eventsMax = 64

    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: Self.eventsMax)
        while true {
            let count = epoll_wait(epoll, &events, Int32(Self.eventsMax), timeoutMilliseconds())
            for event in events.prefix(Int(max(count, 0))) { deliver(event.data.u64) }
            expire()
        }
    }

    private func deliver(_ number: UInt64) {
        guard number != 0 else {
            var rings: UInt64 = 0
            _ = Glibc.read(bell, &rings, MemoryLayout<UInt64>.size)
            return
        }
        state.withLock { $0.waiters[number] }?.fire()
    }

    private func timeoutMilliseconds() -> Int32 {
        guard let alarm = state.withLock({ $0.alarm }) else { return -1 }
        let rest = ContinuousClock.now.duration(to: alarm)
        guard rest > .zero else { return 0 }
        // Rounded up, so that it is never woken just before the time; an hour is as good as for ever.
        return rest < .seconds(3600) ? Int32(rest / .milliseconds(1)) + 1 : 3_600_000
    }

    private func expire() {
        let now = ContinuousClock.now
        let due = state.withLock { state -> [Waiter] in
            guard let alarm = state.alarm, alarm <= now else { return [] }
            state.alarm = nil
            return Array(state.waiters.values)
        }
        for waiter in due {
            if let next = waiter.expire(at: now) { keepQuietly(next) }
        }
    }

    private func keepQuietly(_ deadline: ContinuousClock.Instant) {
        state.withLock { $0.alarm = min($0.alarm ?? deadline, deadline) }
    }
}
