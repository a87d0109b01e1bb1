import Glibc

/// The OS user that PostgreSQL runs as: ourselves, or an unprivileged user when we are root, because PostgreSQL refuses to run as root.
struct ClusterUser: Sendable, Equatable {
    let name: String
    let id: UInt32
    let group: UInt32
    /// True when we are root and hand the cluster to somebody else.
    let isAnother: Bool

    /// - Throws: `.noUser` when root's choice does not exist or is root itself; `.noSetpriv` when we could not become that user;
    ///   `.namelessUser` when the system does not know who we are.
    static func resolve(unprivileged name: String) throws(ClusterError) -> ClusterUser {
        guard geteuid() == 0 else {
            guard getpwuid(geteuid()) != nil else { throw .namelessUser(id: geteuid()) }
            return ClusterUser(name: Self.name(of: geteuid()), id: geteuid(), group: getegid(), isAnother: false)
        }
        guard let entry = getpwnam(name)?.pointee, entry.pw_uid != 0 else { throw .noUser(name) }
        guard access(Self.setpriv, X_OK) == 0 else { throw .noSetpriv }
        return ClusterUser(name: name, id: entry.pw_uid, group: entry.pw_gid, isAnother: true)
    }

    /// A name for people; `uid 1234` when the system knows none.
    static func name(of id: UInt32) -> String {
        guard let entry = getpwuid(id) else { return "uid \(id)" }
        return String(cString: entry.pointee.pw_name)
    }

    /// The argument list that runs a program as this user in `/`, a directory that every user can enter. Nothing in it forks.
    func arguments(for program: String, _ arguments: [String]) -> [String] {
        let identity = isAnother ? [Self.setpriv, "--reuid=\(id)", "--regid=\(group)", "--init-groups", "--"] : []
        return ["/usr/bin/env", "--chdir=/"] + identity + [program] + arguments
    }

    private static let setpriv = "/usr/bin/setpriv"
}
