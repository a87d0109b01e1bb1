import Glibc

/// A process that holds a lock.
package struct LockHolder: Equatable, Sendable, CustomStringConvertible {
    let pid: Int32
    let name: String

    package var description: String { "\(name) (pid \(pid))" }
}

/// Reads `/proc`.
enum ProcessTable {
    /// A process in the process table. A zombie has ended already and only waits to be reaped by its parent.
    struct Entry: Equatable {
        let pid: Int32
        let name: String
        let isZombie: Bool
        let user: UInt32
        /// The pids in this PID namespace and in those nested in it, the innermost last. A process of a container has
        /// two when it is seen from the host.
        var namespacePIDs: [Int32] = []
    }

    /// Returns nil when there is no such process.
    static func entry(_ pid: Int32) -> Entry? {
        guard pid > 0, let text = SmallFile.read("/proc/\(pid)/status") else { return nil }
        var fields: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1].drop { $0 == "\t" || $0 == " " } }
        }
        guard let name = fields["Name"], let state = fields["State"], let users = fields["Uid"] else { return nil }
        guard let user = users.split(separator: "\t").first.flatMap({ UInt32($0) }) else { return nil }
        return Entry(
            pid: pid, name: String(name), isZombie: state.hasPrefix("Z") || state.hasPrefix("X"), user: user,
            namespacePIDs: (fields["NSpid"] ?? "").split(separator: "\t").compactMap { Int32($0) })
    }

    /// Whether a process is a live PostgreSQL of this user whose working directory is this cluster, as that of every
    /// postmaster and backend is.
    ///
    /// A pid alone proves nothing: the system may have given it to another program since it was written to a file.
    static func isPostgres(_ pid: Int32, of cluster: String, user: ClusterUser) -> Bool {
        guard isPostgres(pid, user: user), let home = FileStatus(cluster, following: true) else { return false }
        guard let works = FileStatus("/proc/\(pid)/cwd", following: true) else { return isStarted(pid, on: cluster) }
        return works.identity == home.identity
    }

    /// Whether a process was started with `-D cluster`, as the postmaster is and backends are not. Without
    /// CAP_SYS_PTRACE, as in containers, root sees no more of another user's process.
    private static func isStarted(_ pid: Int32, on cluster: String) -> Bool {
        SmallFile.read("/proc/\(pid)/cmdline").map {
            $0.split(separator: "\0").dropFirst().elementsEqual(["-D", Substring(cluster)])
        } ?? false
    }

    /// Whether a process is a live PostgreSQL of this user. A zombie whose parent we are (because we started it, or are
    /// the init of a container) is reaped.
    static func isPostgres(_ pid: Int32, user: ClusterUser) -> Bool {
        guard let entry = entry(pid), entry.name == "postgres", entry.user == user.id else { return false }
        if entry.isZombie { _ = Child(pid: pid).ending() }
        return !entry.isZombie
    }

    /// The live processes of a cluster.
    static func postgresPIDs(of cluster: String, user: ClusterUser) -> [Int32] {
        pids().filter { isPostgres($0, of: cluster, user: user) }
    }

    static func pids() -> [Int32] { (names(in: "/proc") ?? []).compactMap { Int32($0) } }

    /// The processes but ours that hold an `flock` of a file, because they took it or inherited the descriptor. Those
    /// whose descriptors we may not see are missing.
    static func holders(ofLock path: String) -> [LockHolder] {
        guard let file = FileStatus(path, following: false) else { return [] }
        func isHolder(_ pid: Int32) -> Bool {
            (names(in: "/proc/\(pid)/fd") ?? []).contains { descriptor in
                FileStatus("/proc/\(pid)/fd/\(descriptor)", following: true)?.identity == file.identity
                    && SmallFile.read("/proc/\(pid)/fdinfo/\(descriptor)")?.contains("FLOCK") == true
            }
        }
        return pids().filter { $0 != getpid() && isHolder($0) }.sorted().compactMap { pid in
            entry(pid).map { LockHolder(pid: pid, name: $0.name) }
        }
    }
}
