import Glibc
import Logging

extension Engine {
    /// Starts a postmaster and waits until it is ready, crash recovery included. When it does not get there, it is stopped again.
    func start(socketDirectory: String) async throws(ClusterError) {
        if find() != nil { await stop() }  // one that is stopping anyway
        try verifyCluster()
        try SocketDirectory.make(socketDirectory, for: user)
        try await Leftovers(places: places, user: user, socketDirectory: socketDirectory).clear()
        try configure(socketDirectory: socketDirectory)

        let output = try log.open()
        defer { close(output) }
        let logStart = log.bytes
        let child = try Child.spawn(user.arguments(for: binaries.program("postgres"), ["-D", places.cluster]), output: output)
        do throws(ClusterError) {
            let ready = try await waitUntilReady(child, logStart: logStart)
            logger.info("the embedded database is ready", metadata: ["pid": "\(ready.pid)", "log": "\(places.log)"])
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
                if ended { throw .startFailed(log: places.log, lines: log.lines(since: logStart)) }
                return false
            }
            if found.status == .ready { ready = found }
            return ready != nil
        }
        guard inTime, let ready else { throw .startTimedOut(log: places.log, limit: settings.startTimeout) }
        return ready
    }

    /// PostgreSQL itself refuses a cluster that is not its user's, in words about "the server"; these are ours.
    private func verifyCluster() throws(ClusterError) {
        guard let status = FileStatus(places.cluster, following: true) else { throw .file("open", places.cluster) }
        guard status.owner == user.id else {
            throw .wrongOwner(places.cluster, owner: ClusterUser.name(of: status.owner), wanted: user.name)
        }
        guard !status.writableByOthers else { throw .wrongMode(places.cluster, octal: status.octal) }
    }
}
