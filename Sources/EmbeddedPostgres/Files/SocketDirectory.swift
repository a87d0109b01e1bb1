import Glibc

/// The directory of the database's Unix socket. It lies outside the data directory, because a socket's path may have no
/// more than 107 bytes. Its permissions are the only access control: a user who can enter it may log in as any role.
enum SocketDirectory {
    /// The socket's file name carries a port, although nothing listens on one.
    static let port = 5432

    /// Returns the directory for the socket of a data directory.
    /// - Parameter runtimeDirectory: `XDG_RUNTIME_DIR`, used when only we can write into it and it is short enough. It
    ///   survives a `su`, so it may be another user's.
    static func path(for paths: Paths, runtimeDirectory: String?) -> String {
        let name = hash(paths.data)
        if geteuid() == 0, !isOpenToOthers(runtimeDirectory) { return "/run/causeboard/\(name)" }
        if let base = runtimeDirectory, base.hasPrefix("/"), let status = FileStatus(base, following: false),
            status.isDirectory, status.owner == geteuid(), !status.writableByOthers
        {
            let path = "\(base)/causeboard-\(name)"
            if socket(in: path).utf8.count <= Limits.socketPathBytesMax { return path }
        }
        return "/tmp/causeboard-\(geteuid())-\(name)"
    }

    /// Whether the cluster's user, who is not root, could enter the directory. A login's `/run/user/0` admits root
    /// only.
    private static func isOpenToOthers(_ directory: String?) -> Bool {
        directory.flatMap { FileStatus($0, following: false) }.map { $0.mode & 0o001 != 0 } ?? false
    }

    /// The socket's own path, 107 bytes at most.
    static func socket(in directory: String) -> String { "\(directory)/.s.PGSQL.\(port)" }

    /// Whether a postmaster accepts connections at the socket of a directory. A socket that a dead one has left behind
    /// refuses them.
    static func isServed(_ directory: String) -> Bool {
        let path = Array(socket(in: directory).utf8)
        guard path.count <= Limits.socketPathBytesMax else { return false }
        let client = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard client >= 0 else { return false }
        defer { close(client) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// Makes the directory when it does not exist, gives it to the cluster's user, and verifies it.
    static func make(_ path: String, for user: ClusterUser) throws(ClusterError) {
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        if mkdir(parent, 0o755) != 0, errno != EEXIST { throw .file("make the directory", parent) }
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .file("make the directory", path) }
        if user.isAnother, let status = FileStatus(path, following: false), status.isDirectory,
            status.owner == geteuid()
        {
            guard lchown(path, user.id, user.group) == 0 else { throw .file("give away", path) }
        }
        try verify(path, for: user)
    }

    /// Refuses a directory that anybody but the cluster's user may enter, or that another user could replace.
    static func verify(_ path: String, for user: ClusterUser) throws(ClusterError) {
        guard let status = FileStatus(path, following: false) else { throw .file("open", path) }
        if status.isLink { throw .unsafeSocketDirectory(path, reason: "it is a symbolic link") }
        if !status.isDirectory { throw .unsafeSocketDirectory(path, reason: "it is not a directory") }
        if status.owner != user.id {
            throw .unsafeSocketDirectory(
                path, reason: "it belongs to \(ClusterUser.name(of: status.owner)), not to \(user.name)")
        }
        if status.mode & 0o077 != 0 {
            throw .unsafeSocketDirectory(path, reason: "other users may enter it (mode \(status.octal))")
        }
        guard let parent = FileStatus("\(path)/..", following: true) else { throw .file("open the parent of", path) }
        if (parent.owner != 0 && parent.owner != geteuid()) || (parent.writableByOthers && !parent.isSticky) {
            throw .unsafeSocketDirectory(path, reason: "others may write into the directory that it lies in")
        }
    }

    /// FNV-1a, 64 bits, in 16 hex digits. It only tells the data directories of one user apart; security does not
    /// depend on it.
    private static func hash(_ text: String) -> String {
        let value = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
