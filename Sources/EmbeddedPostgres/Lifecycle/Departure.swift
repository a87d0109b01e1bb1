import Glibc

/// The time in which a database is copied from its data directory to another place, and the mark that it has gone
/// there. While this lives, nobody else opens the cluster.
package final class Departure: Sendable {
    private let paths: Paths
    private let presence: FileLock

    private init(_ paths: Paths, _ presence: FileLock) { (self.paths, self.presence) = (paths, presence) }

    /// Takes the data directory for itself alone.
    /// - Returns: Nil when somebody has the cluster open.
    package static func begin(_ settings: ClusterSettings) async throws(ClusterError) -> Departure? {
        let user = try ClusterUser.resolve(unprivileged: settings.operatingSystemUser)
        let paths = try await DataDirectory.prepare(settings.dataDirectory, for: user)
        let presence = try FileLock(path: paths.upgradeLock)
        guard presence.attempt(.exclusive) else { return nil }
        try ClusterSwap(paths).requireNone()
        return Departure(paths, presence)
    }

    /// Marks the directory, durably: from here on nobody opens its cluster any more.
    /// - Parameter text: Where the database has gone, for an operator to read.
    package func mark(_ text: String) throws(ClusterError) {
        try SmallFile.replace(paths.departed, with: "\(text)\n", owner: .ourselves)
        SmallFile.synchronizeDirectory(paths.data)
    }

    /// What the mark of a data directory says; nil when its database is there.
    package static func marked(in directory: String) -> String? {
        let mark = Paths(data: directory).departed
        guard FileStatus(mark, following: false) != nil else { return nil }
        return SmallFile.read(mark) ?? ""
    }

    package static func markPath(in directory: String) -> String { Paths(data: directory).departed }

    /// - Throws: `.departed` for a directory whose database has gone elsewhere.
    static func requireNone(_ paths: Paths) throws(ClusterError) {
        if FileStatus(paths.departed, following: false) != nil { throw .departed(directory: paths.data) }
    }
}
