import CPQ
import Glibc
import Synchronization

/// One thread that watches every socket and every deadline of this process.
///
/// A wait costs one `epoll_ctl`: sockets are armed for one event each (EPOLLONESHOT), and the thread looks through the
/// deadlines only when the earliest of them may have come. An event carries its registration's number and not an
/// address, so that a late event finds no waiter.
final class Poller: Sendable {
    struct Registration: Hashable { fileprivate let number: UInt64 }

    private struct State {
        var waiters: [UInt64: Waiter] = [:]
        var numbersGiven: UInt64 = 0
        /// No deadline is earlier than this; nil while there is none.
        var alarm: ContinuousClock.Instant?
    }

    private let epoll: Int32
    private let wakeupDescriptor: Int32
    private let state = Mutex(State())

    private static let running = Mutex<Poller?>(nil)

    /// The process's poller, started at its first use. It lives as long as the process.
    /// - Throws: 53000 when the system has no descriptor or thread to give.
    static func shared() throws(PostgresError) -> Poller {
        do {
            return try running.withLock { running throws(PostgresError) in
                if let running { return running }
                let poller = try started { work throws(PostgresError) in try HelperThread.start(work) }
                running = poller
                return poller
            }
        }
    }

    /// A poller that runs for as long as the process. Without a thread it ends, which closes its descriptors.
    /// - Parameter thread: Runs the poller's loop on a thread of its own.
    static func started(on thread: (@escaping @Sendable () -> Void) throws(PostgresError) -> Void)
        throws(PostgresError) -> Poller
    {
        let poller = try Poller()
        try thread { poller.run() }
        return poller
    }

    private init() throws(PostgresError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeupDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: 0))
        guard epoll >= 0, wakeupDescriptor >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, wakeupDescriptor, &event) == 0 else {
            throw PostgresError(.insufficientResources, safeToRetry: true, message: "no epoll: errno \(errno)")
        }
    }

    /// Reached only when no descriptor or no thread was to be had; else the thread keeps the poller for ever.
    deinit {
        Glibc.close(epoll)
        Glibc.close(wakeupDescriptor)
    }

    /// Registers a waiter, whose deadlines are watched from now on, and the socket that it waits for, if any. It must
    /// be unregistered by `remove` before the socket is closed.
    func add(_ waiter: Waiter, socket: Int32? = nil) -> Registration {
        let number = state.withLock { state in
            state.numbersGiven += 1
            state.waiters[state.numbersGiven] = waiter
            return state.numbersGiven
        }
        if let socket {
            var event = epoll_event(events: Self.hangUpOnce, data: epoll_data_t(u64: number))
            // A failure needs no check: arming the socket then fails, too, and that is checked.
            _ = epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event)
        }
        return Registration(number: number)
    }

    /// The kernel reports hang-ups and errors even for a socket that nobody waits for; once is enough.
    private static var hangUpOnce: UInt32 { EPOLLONESHOT.rawValue }

    func remove(_ registration: Registration, socket: Int32? = nil) {
        if let socket { _ = epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nil) }
        _ = state.withLock { $0.waiters.removeValue(forKey: registration.number) }
    }

    /// Makes the next event of a socket fire its waiter, once. An error and the end of the stream are events, too.
    /// - Returns: False when the socket cannot be watched; no event follows then.
    func arm(_ registration: Registration, socket: Int32, forWriting: Bool) -> Bool {
        let events =
            EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue | (forWriting ? EPOLLOUT.rawValue : 0)
        var event = epoll_event(events: events, data: epoll_data_t(u64: registration.number))
        return epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event) == 0
    }

    /// Makes the thread check the waiters' deadlines at this time, or earlier.
    func keep(_ deadline: ContinuousClock.Instant) {
        let isEarliest = state.withLock { state in
            if let alarm = state.alarm, alarm <= deadline { return false }
            state.alarm = deadline
            return true
        }
        guard isEarliest else { return }
        var one: UInt64 = 1
        _ = Glibc.write(wakeupDescriptor, &one, MemoryLayout<UInt64>.size)
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
            var wakeupsCount: UInt64 = 0
            _ = Glibc.read(wakeupDescriptor, &wakeupsCount, MemoryLayout<UInt64>.size)
            return
        }
        state.withLock { $0.waiters[number] }?.fire()
    }

    private func timeoutMilliseconds() -> Int32 {
        guard let alarm = state.withLock({ $0.alarm }) else { return -1 }
        let rest = ContinuousClock.now.duration(to: alarm)
        guard rest > .zero else { return 0 }
        // Rounded up, so that the thread does not wake just before the deadline. After an hour it simply looks again.
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
