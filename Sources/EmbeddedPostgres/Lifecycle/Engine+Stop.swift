import Glibc
import Logging

extension Engine {
    /// Stops the postmaster: a fast shutdown (sessions are ended, everything is written), then an immediate one (the
    /// next start recovers, nothing that was committed is lost), then SIGKILL. Does nothing when there is none.
    ///
    /// The fast shutdown ends with a checkpoint, which may take long on a slow disk and must not become a recovery. So
    /// it gets up to ``Limits/fastShutdown`` for as long as it works, and ``Limits/shutdownStall`` when it does not.
    /// - Parameter isHurried: Whether the rest of the fast shutdown is to be left out; it is asked again and again.
    func stop(isHurried: () -> Bool = { false }) async {
        guard let running = find() else { return }
        func isGone() -> Bool { !ProcessTable.isPostgres(running.pid, of: paths.cluster, user: user) }

        kill(running.pid, SIGINT)
        var progress = ShutdownProgress(since: .now)
        // The file disappears a moment before the process does, so this waits for the process.
        _ = try? await wait(upTo: Limits.fastShutdown) { () throws(ClusterError) in
            isGone() || isHurried() || progress.isStalled(at: .now) { ProcessActivity(ofPostmaster: running.pid) }
        }
        for signal in [SIGQUIT, SIGKILL] {
            if isGone() { return }
            let about: Logger.Metadata = ["pid": "\(running.pid)", "signal": "\(signal)"]
            logger.warning("the embedded database does not stop; trying harder", metadata: about)
            kill(running.pid, signal)
            _ = try? await wait(upTo: Limits.immediateShutdown) { () throws(ClusterError) in isGone() }
        }
        // Backends that cannot notice the death of their postmaster would stay for ever.
        try? await StaleState.endOrphans(of: paths, user: user)
    }
}

/// Tells a shutdown that takes its time from one that does not go on.
struct ShutdownProgress {
    private var lastProgress: ContinuousClock.Instant
    private var nextLook: ContinuousClock.Instant
    private var ticks: UInt64 = 0

    init(since start: ContinuousClock.Instant) {
        lastProgress = start
        nextLook = start
    }

    /// Whether nothing has happened for ``Limits/shutdownStall``.
    /// - Parameter look: Reads the activity; it is called once in ``Limits/activityLook``.
    mutating func isStalled(at now: ContinuousClock.Instant, _ look: () -> ProcessActivity) -> Bool {
        guard now >= nextLook else { return false }
        nextLook = now + Limits.activityLook
        let activity = look()
        if activity.isWorking || activity.ticks != ticks { lastProgress = now }
        ticks = activity.ticks
        return now - lastProgress >= Limits.shutdownStall
    }
}

/// What the processes of a postmaster do.
struct ProcessActivity: Equatable {
    /// Whether one of them is on a processor or waits for a disk.
    var isWorking = false
    /// The processor time that all of them have used, in clock ticks.
    var ticks: UInt64 = 0

    init(isWorking: Bool, ticks: UInt64) {
        self.isWorking = isWorking
        self.ticks = ticks
    }

    /// Reads the activity of a postmaster and its children.
    init(ofPostmaster pid: Int32) {
        for candidate in ProcessTable.pids() {
            // proc(5): pid, name in parentheses, state, parent, ..., fields 14 and 15 are utime and stime.
            guard let text = SmallFile.read("/proc/\(candidate)/stat"), let end = text.lastIndex(of: ")") else {
                continue
            }
            let fields = text[text.index(after: end)...].split(separator: " ")
            guard fields.count > 12, candidate == pid || Int32(fields[1]) == pid else { continue }
            isWorking = isWorking || fields[0] == "R" || fields[0] == "D"
            ticks &+= (UInt64(fields[11]) ?? 0) &+ (UInt64(fields[12]) ?? 0)
        }
    }
}
