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
