import Glibc

/// What a dead postmaster has left behind. Use it only under the start lock and while no postmaster lives; files are
/// removed only by who holds the running lock.
struct StaleState {
    let paths: Paths
    let user: ClusterUser
    let socketDirectory: String

    /// Ends the orphaned backends. PostgreSQL refuses to start while one of them holds the old shared memory.
    static func endOrphans(of paths: Paths, user: ClusterUser) async throws(ClusterError) {
        func orphans() -> [Int32] { ProcessTable.postgresPIDs(of: paths.cluster, user: user) }
        for (signal, limit) in [(0, Limits.orphansLeave), (SIGQUIT, Limits.orphansQuit), (SIGKILL, Limits.orphansQuit)]
        {
            // Killing an orphan does no harm: what it had not committed is lost with its postmaster anyway, and
            // recovery follows.
            for pid in orphans() where signal != 0 { kill(pid, signal) }
            if try await wait(upTo: limit, until: { () throws(ClusterError) in orphans().isEmpty }) { return }
        }
    }

    /// Removes the files that name the dead postmaster. PostgreSQL refuses to start while a zombie or another process
    /// has the old pid.
    func removeFiles() {
        // This does not check the process's cluster: a socket may still be in use although its cluster was deleted.
        let lock = "\(SocketDirectory.socket(in: socketDirectory)).lock"
        if let text = SmallFile.read(lock), let line = text.split(separator: "\n").first, let pid = Int32(line),
            !ProcessTable.isPostgres(pid, user: user)
        {
            unlink(lock)
            unlink(SocketDirectory.socket(in: socketDirectory))
        }
        // A process that we may not inspect (root in a container without CAP_SYS_PTRACE) does not count as an orphan,
        // yet it may be the postmaster of a release that held no lock.
        let named = Postmaster.named(in: paths)
        if ProcessTable.postgresPIDs(of: paths.cluster, user: user).isEmpty,
            named.map({ !ProcessTable.isPostgres($0.pid, user: user) }) ?? true
        {
            unlink(paths.postmasterFile)
        }
    }
}
