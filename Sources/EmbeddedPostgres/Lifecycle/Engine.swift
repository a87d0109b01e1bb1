import Dispatch
import Glibc
import Logging

/// The steps in the life of one cluster. Everything here but `find` is called under the start lock.
struct Engine: Sendable {
    let settings: ClusterSettings
    let paths: Paths
    let user: ClusterUser
    let binaries: Binaries

    var log: ServerLog { ServerLog(path: paths.log) }
    var logger: Logger { settings.logger }

    /// The live postmaster, or nil.
    func find() -> Postmaster? { Postmaster.find(paths, user: user) }

    /// Makes sure that a postmaster is ready: the one that runs, or a new one.
    /// - Returns: The directory of its socket.
    func ensureRunning() async throws(ClusterError) -> String {
        if let running = try await adopt() {
            do throws(ClusterError) {
                try SocketDirectory.verify(running.socketDirectory, for: user)
            } catch {
                throw .heldByPostgres(cluster: paths.cluster, pid: running.pid, reason: "\(error)")
            }
            logger.debug("the embedded database runs already", metadata: ["pid": "\(running.pid)"])
            return running.socketDirectory
        }
        let socketDirectory = SocketDirectory.path(for: paths, runtimeDirectory: settings.runtimeDirectory)
        try await start(socketDirectory: socketDirectory)
        return socketDirectory
    }

    /// The postmaster that runs already, once it is ready; nil when there is none, or when it ends meanwhile.
    private func adopt() async throws(ClusterError) -> Postmaster? {
        guard let running = find(), running.status != .stopping else { return nil }
        do throws(ClusterError) {
            return try await waitUntilReady(nil, logStart: log.bytes)
        } catch .startFailed {
            return nil
        }
    }
}

extension Engine {
    /// Starts a postmaster and waits until it is ready, crash recovery included. When it does not get there, it is
    /// stopped again.
    func start(socketDirectory: String) async throws(ClusterError) {
        if find() != nil { await stop() }  // one that is stopping anyway
        try verifyCluster()
        try SocketDirectory.make(socketDirectory, for: user)
        try await StaleState(paths: paths, user: user, socketDirectory: socketDirectory).clear()
        try configure(socketDirectory: socketDirectory)

        let output = try log.open()
        defer { close(output) }
        let logStart = log.bytes
        let child = try Child.spawn(
            user.arguments(for: binaries.program("postgres"), ["-D", paths.cluster]),
            output: output
        )
        do throws(ClusterError) {
            let ready = try await waitUntilReady(child, logStart: logStart)
            logger.info("the embedded database is ready", metadata: ["pid": "\(ready.pid)", "log": "\(paths.log)"])
        } catch {
            await stop()
            if child.ending() == nil {  // not yet reaped, so the pid is certainly still our child's; it may not have written it down
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
    /// - Throws: `.startFailed` when it ended instead, `.startTimedOut`, `.cancelled`.
    func waitUntilReady(_ child: Child?, logStart: Int) async throws(ClusterError) -> Postmaster {
        var ready: Postmaster?
        let inTime = try await wait(upTo: settings.startTimeout) { () throws(ClusterError) in
            if Task.isCancelled { throw .cancelled }
            // Asked in this order: a child that ends in between is seen as ended at the next look.
            let ended = child.map { $0.ending() != nil } ?? true
            guard let found = find() else {
                if ended { throw .startFailed(log: paths.log, lines: log.lines(since: logStart)) }
                return false
            }
            if found.status == .ready { ready = found }
            return ready != nil
        }
        guard inTime, let ready else { throw .startTimedOut(log: paths.log, limit: settings.startTimeout) }
        return ready
    }

    /// PostgreSQL itself refuses a cluster that is not its user's, in words about "the server"; these are ours.
    private func verifyCluster() throws(ClusterError) {
        guard let status = FileStatus(paths.cluster, following: true) else { throw .file("open", paths.cluster) }
        guard status.owner == user.id else {
            throw .wrongOwner(paths.cluster, owner: ClusterUser.name(of: status.owner), wanted: user.name)
        }
        guard !status.writableByOthers else { throw .wrongMode(paths.cluster, octal: status.octal) }
    }
}

extension Engine {
    /// Stops the postmaster: a fast shutdown (sessions are ended, everything is written), then an immediate one (the
    /// next start recovers, nothing that was committed is lost), then by force. Returns when it is gone; does nothing
    /// when there is none.
    func stop() async {
        for (signal, limit) in [
            (SIGINT, Limits.fastShutdown), (SIGQUIT, Limits.immediateShutdown), (SIGKILL, Limits.immediateShutdown),
        ] {
            guard let running = find() else { return }
            if signal != SIGINT {
                let about: Logger.Metadata = ["pid": "\(running.pid)", "signal": "\(signal)"]
                logger.warning("the embedded database does not stop; trying harder", metadata: about)
            }
            kill(running.pid, signal)
            // The file goes away a moment before the process does, so the process is what we wait for.
            let gone = try? await wait(upTo: limit) { () throws(ClusterError) in
                !ProcessTable.isPostgres(running.pid, of: paths.cluster, user: user)
            }
            if gone == true { return }
        }
    }
}

/// Waits, and does so in a cancelled task too: `close` runs in tasks that are cancelled already, and must not spin
/// there.
func pause(_ duration: Duration) async {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(clamping: seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { continuation.resume() }
    }
}

/// Asks every few milliseconds until the answer is true or the time is up.
/// - Returns: The last answer.
func wait(upTo limit: Duration, until condition: () throws(ClusterError) -> Bool) async throws(ClusterError) -> Bool {
    let deadline = ContinuousClock.now + limit
    while try !condition() {
        if ContinuousClock.now >= deadline { return false }
        await pause(Limits.poll)
    }
    return true
}
