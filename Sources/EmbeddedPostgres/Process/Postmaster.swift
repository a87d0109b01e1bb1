import Glibc

/// The live main process of a cluster, as `postmaster.pid` describes it.
struct Postmaster: Sendable, Equatable {
    enum Status: Equatable { case starting, ready, stopping }

    let pid: Int32
    let socketDirectory: String
    let status: Status
    /// Whether it is ready for readers alone, because it recovers.
    var isStandby = false

    /// Finds the live postmaster of a cluster, also that of a container when we are on its host. Returns nil also for a
    /// file that a dead one left behind, even if its pid belongs to another program by now, and for a postmaster in a
    /// PID namespace that cannot be seen from ours.
    static func find(_ paths: Paths, user: ClusterUser) -> Postmaster? {
        guard let named = named(in: paths) else { return nil }
        if ProcessTable.isPostgres(named.pid, of: paths.cluster, user: user) { return named }
        // The file has the pid of the namespace in which the postmaster was started.
        let nested = ProcessTable.postgresPIDs(of: paths.cluster, user: user).first { pid in
            let pids = ProcessTable.entry(pid)?.namespacePIDs ?? []
            return pids.count > 1 && pids.last == named.pid
        }
        return nested.map { Postmaster(pid: $0, socketDirectory: named.socketDirectory, status: named.status) }
    }

    /// The postmaster that `postmaster.pid` names, alive or not.
    static func named(in paths: Paths) -> Postmaster? {
        SmallFile.read(paths.postmasterFile).flatMap(Postmaster.init(file:))
    }

    init(pid: Int32, socketDirectory: String, status: Status) {
        self.pid = pid
        self.socketDirectory = socketDirectory
        self.status = status
    }

    /// Parses `postmaster.pid` (PostgreSQL's miscadmin.h): pid, data directory, start time, port, socket directory,
    /// address, shared memory, status.
    /// - Returns: Nil when the file's first line is not a pid. Lines that are not written yet mean `.starting`.
    init?(file: String) {
        let lines = file.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first, let pid = Int32(first), pid > 0 else { return nil }
        self.pid = pid
        socketDirectory = lines.count > 4 ? lines[4] : ""
        let word = lines.count > 7 ? lines[7].split(separator: " ").first : nil
        isStandby = word == "standby"
        switch word {
        case "ready", "standby": status = .ready
        case "stopping": status = .stopping
        default: status = .starting
        }
    }
}
