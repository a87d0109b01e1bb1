import Glibc

/// The live main process of a cluster, as `postmaster.pid` describes it.
struct Postmaster: Sendable, Equatable {
    enum Status: Equatable { case starting, ready, stopping }

    let pid: Int32
    let socketDirectory: String
    let status: Status

    /// Finds the live postmaster of a cluster. Returns nil also for a file that a dead one left behind, even if its pid
    /// belongs to another program by now.
    static func find(_ paths: Paths, user: ClusterUser) -> Postmaster? {
        guard let text = SmallFile.read(paths.postmasterFile), let found = Postmaster(file: text) else { return nil }
        return ProcessTable.isPostgres(found.pid, of: paths.cluster, user: user) ? found : nil
    }

    /// Parses `postmaster.pid` (PostgreSQL's miscadmin.h): pid, data directory, start time, port, socket directory,
    /// address, shared memory, status.
    /// - Returns: Nil when the file's first line is not a pid. Lines that are not written yet mean `.starting`.
    init?(file: String) {
        let lines = file.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first, let pid = Int32(first), pid > 0 else { return nil }
        self.pid = pid
        socketDirectory = lines.count > 4 ? lines[4] : ""
        switch lines.count > 7 ? lines[7].split(separator: " ").first : nil {
        case "ready", "standby": status = .ready
        case "stopping": status = .stopping
        default: status = .starting
        }
    }
}
