/// Tells a start or a shutdown that takes its time from one that does not go on.
struct StallDetector {
    private let stallMax: Duration
    private var lastProgress: ContinuousClock.Instant
    private var nextLook: ContinuousClock.Instant
    private var ticks: UInt64 = 0

    init(since start: ContinuousClock.Instant, stallMax: Duration) {
        self.stallMax = stallMax
        lastProgress = start
        nextLook = start
    }

    /// Whether nothing has happened for `stallMax`.
    /// - Parameter look: Reads the activity; it is called once in ``Limits/activityLook``.
    mutating func isStalled(at now: ContinuousClock.Instant, _ look: () -> ProcessActivity) -> Bool {
        guard now >= nextLook else { return false }
        nextLook = now + Limits.activityLook
        let activity = look()
        if activity.isWorking || activity.ticks != ticks { lastProgress = now }
        ticks = activity.ticks
        return now - lastProgress >= stallMax
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
