import Glibc
import Logging

extension Engine {
    /// Stops the postmaster: a fast shutdown (sessions are ended, everything is written), then an immediate one (the next start
    /// recovers, nothing that was committed is lost), then by force. Returns when it is gone; does nothing when there is none.
    func stop() async {
        for (signal, limit) in [(SIGINT, Limits.fastShutdown), (SIGQUIT, Limits.immediateShutdown), (SIGKILL, Limits.immediateShutdown)] {
            guard let running = find() else { return }
            if signal != SIGINT {
                let about: Logger.Metadata = ["pid": "\(running.pid)", "signal": "\(signal)"]
                logger.warning("the embedded database does not stop; trying harder", metadata: about)
            }
            kill(running.pid, signal)
            // The file goes away a moment before the process does, so the process is what we wait for.
            let gone = try? await wait(upTo: limit) { () throws(ClusterError) in
                !ProcessTable.isPostgres(running.pid, of: places.cluster, user: user)
            }
            if gone == true { return }
        }
    }
}
