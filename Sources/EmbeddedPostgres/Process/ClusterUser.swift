import Glibc

/// The OS user that PostgreSQL runs as: ourselves, or an unprivileged user when we are root, because PostgreSQL refuses
/// to run as root.
struct ClusterUser: Sendable, Equatable {
    let name: String
    let id: UInt32
    let group: UInt32
    /// True when we are root and run the cluster as another user.
    let isAnother: Bool

    /// Finds the user to run PostgreSQL as.
    /// - Parameter name: the user to take when we are root; ignored otherwise.
    /// - Throws: `.noUser` when that user does not exist or is root itself; `.noSetpriv` when we could not become that
    ///   user; `.namelessUser` when the system has no name for our own user id.
    static func resolve(unprivileged name: String) throws(ClusterError) -> ClusterUser {
        guard geteuid() == 0 else {
            guard let me = Account.find({ getpwuid_r(geteuid(), $0, $1, $2, $3) }) else {
                throw .namelessUser(id: geteuid())
            }
            return ClusterUser(name: me.name, id: geteuid(), group: getegid(), isAnother: false)
        }
        guard let other = Account.find({ getpwnam_r(name, $0, $1, $2, $3) }), other.id != 0 else { throw .noUser(name) }
        guard access(Self.setpriv, X_OK) == 0 else { throw .noSetpriv }
        return ClusterUser(name: name, id: other.id, group: other.group, isAnother: true)
    }

    /// Whoever runs this process.
    static var ourselves: ClusterUser { ClusterUser(name: "", id: geteuid(), group: getegid(), isAnother: false) }

    /// Makes a directory that only this user can enter.
    /// - Parameter mayExist: Whether an existing directory is accepted.
    func makeDirectory(_ path: String, mayExist: Bool = false) throws(ClusterError) {
        if mkdir(path, 0o700) != 0, !mayExist || errno != EEXIST { throw .file("make the directory", path) }
        guard !isAnother || lchown(path, id, group) == 0 else { throw .file("give away", path) }
    }

    /// Returns the user's name for messages; `uid 1234` when the system knows none.
    static func name(of id: UInt32) -> String { Account.find { getpwuid_r(id, $0, $1, $2, $3) }?.name ?? "uid \(id)" }

    /// Returns the arguments that run a program as this user, in `/`, because every user can enter that. None of the
    /// wrappers forks, so the child's pid is the program's.
    func arguments(for program: String, _ arguments: [String]) -> [String] {
        let identity = isAnother ? [Self.setpriv, "--reuid=\(id)", "--regid=\(group)", "--init-groups", "--"] : []
        return ["/usr/bin/env", "--chdir=/"] + identity + [program] + arguments
    }

    private static let setpriv = "/usr/bin/setpriv"
}

/// An entry of the system's user database.
struct Account {
    let name: String
    let id: UInt32
    let group: UInt32

    /// Calls `getpwnam_r` or `getpwuid_r`, which, unlike `getpwnam` and `getpwuid`, share no buffer with other threads.
    /// - Returns: Nil when there is no such account, or its entry needs more than 16 KiB.
    static func find(
        _ ask: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> Int32
    ) -> Account? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
            guard let start = buffer.baseAddress, ask(&entry, start, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return nil }
            return Account(name: String(cString: name), id: entry.pw_uid, group: entry.pw_gid)
        }
    }
}
