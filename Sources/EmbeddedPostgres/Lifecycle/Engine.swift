import Dispatch
import Glibc
import Logging

/// Makes, starts, finds and stops the postmaster of one cluster. All methods but `find` must be called under the start
/// lock.
struct Engine: Sendable {
    let settings: ClusterSettings
    let paths: Paths
    let user: ClusterUser
    let binaries: Binaries

    var log: ServerLog { ServerLog(path: paths.log) }
    var logger: Logger { settings.logger }

    /// The live postmaster, or nil.
    func find() -> Postmaster? { Postmaster.find(paths, user: user) }

    /// Makes sure that a postmaster is ready: the one that runs already, or a new one.
    /// - Parameter role: A visitor may use a postmaster whose processes it cannot see. A server may not, because it has
    ///   to watch it.
    /// - Returns: The directory of its socket.
    func ensureRunning(as role: Role) async throws(ClusterError) -> String {
        if let running = try await adopt() {
            do throws(ClusterError) { try SocketDirectory.verify(running.socketDirectory, for: user) } catch {
                throw .heldByPostgres(cluster: paths.cluster, pid: running.pid, reason: "\(error)")
            }
            logger.debug("the embedded database runs already", metadata: ["pid": "\(running.pid)"])
            guard role == .server, !isArchivingAsWanted else { return running.socketDirectory }
            // Archiving begins and ends with a postmaster only.
            logger.info("the embedded database is started again, because --archive is another one now")
            await stop()
            try await start(socketDirectory: running.socketDirectory)
            return running.socketDirectory
        }
        if role == .visitor, let unseen = try findUnseen() {
            logger.debug("the embedded database runs in another PID namespace")
            return unseen.socketDirectory
        }
        let socketDirectory = SocketDirectory.path(for: paths, runtimeDirectory: settings.runtimeDirectory)
        try await start(socketDirectory: socketDirectory)
        return socketDirectory
    }

    /// The postmaster of a PID namespace that cannot be seen from ours, as another container has, if its socket can be
    /// used from here all the same.
    private func findUnseen() throws(ClusterError) -> Postmaster? {
        // The order matters: orphans that end between the two checks do not hold the lock any more at the second.
        guard ProcessTable.postgresPIDs(of: paths.cluster, user: user).isEmpty,
            try !FileLock(path: paths.runningLock).attempt(.shared), let named = Postmaster.named(in: paths),
            named.status == .ready, (try? SocketDirectory.verify(named.socketDirectory, for: user)) != nil,
            SocketDirectory.isServed(named.socketDirectory)
        else { return nil }
        return named
    }

    /// Waits for a running postmaster to be ready. Returns nil when there is none, or when it stops meanwhile.
    private func adopt() async throws(ClusterError) -> Postmaster? {
        guard let running = find(), running.status != .stopping else { return nil }
        do throws(ClusterError) { return try await waitUntilReady(nil, logStart: log.bytes) } catch .startFailed {
            return nil
        }
    }
}

extension Engine {
    /// Starts a postmaster and waits until it is ready, crash recovery included. When it does not become ready, it is
    /// stopped again.
    ///
    /// The postmaster inherits the running lock, and its backends from it, so the lock is free exactly when no process
    /// of the cluster is left, wherever it runs. Until then nothing of the old postmaster is removed and none started.
    /// - Throws: `.heldByOthers` when processes hold the lock that are not PostgreSQL, `.heldElsewhere` when those that
    ///   do cannot be seen.
    func start(socketDirectory: String) async throws(ClusterError) {
        if find() != nil { await stop() }  // it is stopping already
        try verifyCluster()
        try SocketDirectory.make(socketDirectory, for: user)
        let running = try FileLock(path: paths.runningLock)
        try await StaleState.endOrphans(of: paths, user: user)
        guard try await running.acquire(.exclusive, within: Limits.orphansQuit) else {
            let holders = ProcessTable.holders(ofLock: paths.runningLock)
            if holders.isEmpty { throw .heldElsewhere(cluster: paths.cluster) }
            throw .heldByOthers(lock: paths.runningLock, holders: holders)
        }
        StaleState(paths: paths, user: user, socketDirectory: socketDirectory).removeFiles()
        try configure(socketDirectory: socketDirectory)

        let output = try log.open()
        defer { close(output) }
        let logStart = log.bytes
        let child = try Child.spawn(
            user.arguments(for: binaries.program("postgres"), ["-D", paths.cluster]), output: output,
            inheriting: running)
        do throws(ClusterError) {
            let ready = try await waitUntilReady(child, logStart: logStart)
            logger.info("the embedded database is ready", metadata: ["pid": "\(ready.pid)", "log": "\(paths.log)"])
        } catch {
            await stop()
            // `stop` does not find a child that has not written postmaster.pid yet. The child is not yet reaped, so
            // the pid is certainly still its own.
            if child.ending() == nil {
                kill(child.pid, SIGKILL)
                _ = try? await wait(upTo: Limits.immediateShutdown) { () throws(ClusterError) in child.ending() != nil }
            }
            throw error
        }
    }

    /// Waits for the postmaster in `postmaster.pid` to be ready.
    /// - Parameters:
    ///   - child: the postmaster that we started ourselves; nil when it was there before us.
    ///   - logStart: the size of the log before the start, so that an error quotes this start alone.
    /// - Throws: `.startFailed` when it ended instead, `.startStalled` when it has done nothing for the settings'
    ///   `startStallMax`, `.cancelled`.
    func waitUntilReady(_ child: Child?, logStart: Int) async throws(ClusterError) -> Postmaster {
        // A recovery that is ended begins anew at the next start, so none is ended while it goes on.
        var stall = StallDetector(since: .now, stallMax: settings.startStallMax)
        while true {
            if Task.isCancelled { throw .cancelled }
            // The order matters: a child that ends between the two checks is seen as ended at the next one.
            let ended = child.map { $0.ending() != nil } ?? true
            let found = find()
            if let found, found.status == .ready, !(settings.awaitsPromotion && found.isStandby) { return found }
            if found == nil, ended { throw .startFailed(log: paths.log, lines: log.lines(since: logStart)) }
            if let pid = found?.pid ?? child?.pid, stall.isStalled(at: .now, { ProcessActivity(ofPostmaster: pid) }) {
                throw .startStalled(log: paths.log, limit: settings.startStallMax)
            }
            await pause(Limits.poll)
        }
    }

    /// Refuses a cluster that belongs to another user or that others may write into. PostgreSQL refuses it, too, but
    /// its message does not say what to do.
    private func verifyCluster() throws(ClusterError) {
        guard let status = FileStatus(paths.cluster, following: true) else { throw .file("open", paths.cluster) }
        guard status.owner == user.id else {
            throw .wrongOwner(paths.cluster, owner: ClusterUser.name(of: status.owner), wanted: user.name)
        }
        guard !status.writableByOthers else { throw .wrongMode(paths.cluster, octal: status.octal) }
    }
}

/// Waits, even in a cancelled task: `close` runs in tasks that are cancelled already and must not spin there.
func pause(_ duration: Duration) async {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(clamping: seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { continuation.resume() }
    }
}

/// Checks the condition every 10 ms until it holds or the time is up. It does not notice a cancellation.
/// - Returns: Whether the condition held in time.
func wait(upTo limit: Duration, until condition: () throws(ClusterError) -> Bool) async throws(ClusterError) -> Bool {
    let deadline = ContinuousClock.now + limit
    while try !condition() {
        if ContinuousClock.now >= deadline { return false }
        await pause(Limits.poll)
    }
    return true
}

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
        var stall = StallDetector(since: .now, stallMax: Limits.shutdownStall)
        // The file disappears a moment before the process does, so this waits for the process.
        _ = try? await wait(upTo: Limits.fastShutdown) { () throws(ClusterError) in
            isGone() || isHurried() || stall.isStalled(at: .now) { ProcessActivity(ofPostmaster: running.pid) }
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
