import Glibc

/// What `/proc` tells about processes.
enum ProcessTable {
    /// A process that exists; a zombie has ended already and only waits for its parent to notice.
    struct Entry: Equatable {
        let pid: Int32
        let name: String
        let isZombie: Bool
        let user: UInt32
    }

    /// Nil when there is no such process.
    static func entry(_ pid: Int32) -> Entry? {
        guard pid > 0, let text = SmallFile.read("/proc/\(pid)/status") else { return nil }
        var fields: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1].drop { $0 == "\t" || $0 == " " } }
        }
        guard let name = fields["Name"], let state = fields["State"], let users = fields["Uid"] else { return nil }
        guard let user = users.split(separator: "\t").first.flatMap({ UInt32($0) }) else { return nil }
        return Entry(pid: pid, name: String(name), isZombie: state.hasPrefix("Z") || state.hasPrefix("X"), user: user)
    }

    /// Whether a process is a live PostgreSQL of this user that works in this cluster (postmaster or backend: all of
    /// them work there).
    ///
    /// A pid alone proves nothing: it may have been given to another program since it was written down.
    static func isPostgres(_ pid: Int32, of cluster: String, user: ClusterUser) -> Bool {
        guard isPostgres(pid, user: user), let home = FileStatus(cluster, following: true) else { return false }
        guard let works = FileStatus("/proc/\(pid)/cwd", following: true) else { return isStarted(pid, on: cluster) }
        return works.identity == home.identity
    }

    /// Whether a process was started with `-D cluster`: all that root sees of another user's process where it lacks
    /// CAP_SYS_PTRACE, as in containers. Only the postmaster says so.
    private static func isStarted(_ pid: Int32, on cluster: String) -> Bool {
        SmallFile.read("/proc/\(pid)/cmdline").map {
            $0.split(separator: "\0").dropFirst().elementsEqual(["-D", Substring(cluster)])
        }
            ?? false
    }

    /// Whether a process is a live PostgreSQL of this user. When it has ended and we are its parent (we started it, or
    /// we are the init of a container), its place in the process table is given back.
    static func isPostgres(_ pid: Int32, user: ClusterUser) -> Bool {
        guard let entry = entry(pid), entry.name == "postgres", entry.user == user.id else { return false }
        if entry.isZombie { _ = Child(pid: pid).ending() }
        return !entry.isZombie
    }

    static func pids() -> [Int32] {
        guard let directory = opendir("/proc") else { return [] }
        defer { closedir(directory) }
        var found: [Int32] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let pid = Int32(name) { found.append(pid) }
        }
        return found
    }
}
