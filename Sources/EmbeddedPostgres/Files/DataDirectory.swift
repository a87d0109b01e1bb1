import Glibc

/// The directory that holds all files of one installation: the cluster, its log, its locks, and the server's own files.
enum DataDirectory {
    /// Makes the directory when it does not exist, and refuses one that others could tamper with or that PostgreSQL's
    /// user cannot reach.
    /// - Returns: The paths in it, which are absolute and free of symbolic links.
    static func prepare(_ path: String, for user: ClusterUser) async throws(ClusterError) -> Paths {
        guard !path.isEmpty else { throw .unusablePath(path, reason: "it is empty") }
        guard !path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
            throw .unusablePath(path, reason: "it contains a control character")  // postmaster.pid has one path a line
        }
        try make(path, for: user)
        guard let resolved = realpath(path, nil) else { throw .file("open", path) }
        defer { free(resolved) }
        let paths = Paths(data: String(cString: resolved))
        try verify(paths.data)
        if user.isAnother { try await verifyReachable(paths.data, by: user) }
        return paths
    }

    /// Does `mkdir -p`. Parents are open to all. The directory itself is closed to others, except that the cluster's
    /// user must be able to pass through it.
    private static func make(_ path: String, for user: ClusterUser) throws(ClusterError) {
        var parent = path.hasPrefix("/") ? "/" : ""
        let names = path.split(separator: "/")
        for (index, name) in names.enumerated() {
            parent += name
            let mode: mode_t = index < names.count - 1 ? 0o755 : user.isAnother ? 0o711 : 0o700
            if mkdir(parent, mode) != 0, errno != EEXIST { throw .file("make the directory", parent) }
            parent += "/"
        }
    }

    private static func verify(_ path: String) throws(ClusterError) {
        guard let status = FileStatus(path, following: true) else { throw .file("open", path) }
        guard status.isDirectory else { throw .unusablePath(path, reason: "it is not a directory") }
        guard status.owner == geteuid() else {
            throw .wrongOwner(path, owner: ClusterUser.name(of: status.owner), wanted: ClusterUser.name(of: geteuid()))
        }
        guard !status.writableByOthers else { throw .wrongMode(path, octal: status.octal) }
    }

    /// Checks access as the user itself, because groups and access lists count, too.
    private static func verifyReachable(_ path: String, by user: ClusterUser) async throws(ClusterError) {
        if try await enters(path, user) { return }
        var ancestor = ""
        for name in path.split(separator: "/") {
            ancestor += "/\(name)"
            if try await !enters(ancestor, user) {
                throw .unreachable(directory: path, blocked: ancestor, user: user.name)
            }
        }
    }

    private static func enters(_ path: String, _ user: ClusterUser) async throws(ClusterError) -> Bool {
        try await Command("/usr/bin/test", ["-x", path], as: user).run(within: Limits.shortCommand).succeeded
    }
}
