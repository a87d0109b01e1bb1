import CLinux
import Glibc
import Synchronization

/// One thread that watches sockets and deadlines, and on which tasks can run that wait for these sockets most of their
/// time.
///
/// Such a task goes on where its socket became ready, and no second thread has to be woken. Its work between two waits
/// must be short, because everybody else whose socket this thread watches waits meanwhile.
///
/// A wait costs one `epoll_ctl`: sockets are armed for one event each (EPOLLONESHOT), and the thread looks through the
/// deadlines only when the earliest of them may have come. An event carries its registration's number and not an
/// address, so that a late event finds no waiter.
package final class Poller: TaskExecutor {
    /// What a poller is for. Each purpose has a thread of its own.
    package enum Purpose: Hashable, Sendable {
        /// Connections on which readers' and commands' statements run; and all attempts to connect.
        case statements
        /// Connections on which the ledgers are written, with the tasks that commit to them.
        case ledgers
        /// Replication streams, whose reader may have much to do after a large commit.
        case streams
    }

    struct Registration: Hashable { fileprivate let number: UInt64 }

    private struct State {
        var waiters: [UInt64: Waiter] = [:]
        var numbersGiven: UInt64 = 0
        /// No deadline is earlier than this; nil while there is none.
        var alarm: ContinuousClock.Instant?
    }

    /// The parts of tasks that are ready to run.
    private struct Jobs {
        var ready: [UnownedJob] = []
        /// Whether the thread waits, or is about to, so that it must be woken for a job.
        var isWaiting = false
    }

    private let epoll: Int32
    private let wakeupDescriptor: Int32
    private let state = Mutex(State())
    private let jobs = Mutex(Jobs())

    private static let running = Mutex<[Purpose: Poller]>([:])

    /// The process's poller for a purpose, started at its first use. It lives as long as the process.
    /// - Throws: 53000 when the system has no descriptor or thread to give.
    package static func shared(for purpose: Purpose = .statements) throws(PostgresError) -> Poller {
        do {
            return try running.withLock { running throws(PostgresError) in
                if let poller = running[purpose] { return poller }
                let poller = try started { work throws(PostgresError) in try HelperThread.start(work) }
                running[purpose] = poller
                return poller
            }
        }
    }

    /// A poller that runs for as long as the process. Without a thread it ends, which closes its descriptors.
    /// - Parameter thread: Runs the poller's loop on a thread of its own.
    static func started(on thread: (@escaping @Sendable () -> Void) throws(PostgresError) -> Void) throws(PostgresError)
        -> Poller
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

    /// Registers a waiter, whose deadlines are watched from now on, until `remove`. That must come before the socket is
    /// closed for which it waits.
    func add(_ waiter: Waiter) -> Registration {
        Registration(
            number: state.withLock { state in
                state.numbersGiven += 1
                state.waiters[state.numbersGiven] = waiter
                return state.numbersGiven
            })
    }

    /// Does the same for a waiter that waits for a socket.
    /// - Throws: 53000 when the system cannot watch the socket; nothing is registered then.
    func add(_ waiter: Waiter, socket: Int32) throws(PostgresError) -> Registration {
        let registration = add(waiter)
        var event = epoll_event(events: Self.hangUpOnce, data: epoll_data_t(u64: registration.number))
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0 else {
            let code = errno
            remove(registration)
            throw PostgresError(
                .insufficientResources, safeToRetry: true, message: "a socket cannot be watched: errno \(code)")
        }
        return registration
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
        if isEarliest { wake() }
    }

    private func wake() {
        var one: UInt64 = 1
        _ = Glibc.write(wakeupDescriptor, &one, MemoryLayout<UInt64>.size)
    }
}

extension Poller {
    /// Runs a part of a task on the thread, after those that came before it.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wasWaiting = jobs.withLock { jobs in
            jobs.ready.append(job)
            defer { jobs.isWaiting = false }
            return jobs.isWaiting
        }
        if wasWaiting { wake() }
    }

    /// Runs the jobs that are ready. Those that they make ready come after the sockets have been looked at.
    /// - Parameter ready: Empty before and after; it keeps its memory from one call to the next.
    /// - Returns: Whether there were any. If not, the next job wakes the thread.
    private func runJobs(_ ready: inout [UnownedJob]) -> Bool {
        jobs.withLock { jobs in
            swap(&ready, &jobs.ready)
            jobs.isWaiting = ready.isEmpty
        }
        if ready.isEmpty { return false }
        let executor = asUnownedTaskExecutor()
        for job in ready { job.runSynchronously(on: executor) }
        ready.removeAll(keepingCapacity: true)
        return true
    }
}

extension Poller {
    private static let eventsMax = 64

    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: Self.eventsMax)
        var ready: [UnownedJob] = []
        while true {
            let timeout = runJobs(&ready) ? 0 : timeoutMilliseconds()
            let count = epoll_wait(epoll, &events, Int32(Self.eventsMax), timeout)
            // What becomes ready now needs no wake-up: the jobs are looked at before the next wait.
            jobs.withLock { $0.isWaiting = false }
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
        for waiter in due { if let next = waiter.expire(at: now) { keepQuietly(next) } }
    }

    private func keepQuietly(_ deadline: ContinuousClock.Instant) {
        state.withLock { $0.alarm = min($0.alarm ?? deadline, deadline) }
    }
}

/// Runs work on a new thread, for the poller and for calls of libpq that always block: resolving names and cancelling.
/// A blocked call must not occupy a thread of Swift's small pool, and such calls are rare.
enum HelperThread {
    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread that runs `work` and ends when it returns.
    /// - Throws: 53000 when the system has no thread to give; `work` is then never run.
    static func start(_ work: @escaping @Sendable () -> Void) throws(PostgresError) {
        let box = Unmanaged.passRetained(Work(work))
        var thread = pthread_t()
        let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }
        let code = pthread_create(&thread, nil, main, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw PostgresError(.insufficientResources, safeToRetry: true, message: "no thread: errno \(code)")
        }
        pthread_detach(thread)
    }
}
