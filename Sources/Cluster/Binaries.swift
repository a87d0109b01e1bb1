import Glibc

/// The programs of one installed PostgreSQL.
struct Binaries: Sendable, Equatable {
    let directory: String
    let major: Int

    func program(_ name: String) -> String { "\(directory)/\(name)" }

    /// The programs for a cluster.
    /// - Parameter major: the version that made the cluster; nil for a new one, which takes the newest of 15...18.
    /// - Throws: `.noBinaries`, or `.otherMajor` for a cluster whose version is not installed.
    static func choose(
        major: Int?, places: Places, settings: ClusterSettings, user: ClusterUser
    ) async throws(ClusterError) -> Binaries {
        var found: [Int: String] = [:]
        var searched: [String] = []
        for source in Source.all(override: settings.binariesDirectory) {
            searched.append(source.description)
            for binaries in try await source.look(as: user) where found[binaries.major] == nil {
                found[binaries.major] = binaries.directory
            }
            let candidates = major.map { [$0] } ?? Limits.majors.reversed()
            for candidate in candidates {
                if let directory = found[candidate] { return Binaries(directory: directory, major: candidate) }
            }
        }
        guard let major else { throw .noBinaries(searched: searched, otherMajors: found.keys.sorted()) }
        throw .otherMajor(OtherMajor(cluster: places.cluster, made: major, installed: found, user: user.name))
    }

    /// The major version that made a cluster.
    /// - Returns: Nil when there is no cluster yet.
    /// - Throws: `.notACluster` when something else is in its place.
    static func majorOfCluster(in places: Places) throws(ClusterError) -> Int? {
        guard let status = FileStatus(places.cluster, following: false) else { return nil }
        if let text = SmallFile.read(places.version), let line = text.split(separator: "\n").first, let major = Int(line) { return major }
        // An empty directory is nobody's loss: a mount point or an operator's mkdir.
        if status.isDirectory, rmdir(places.cluster) == 0 { return nil }
        throw .notACluster(places.cluster)
    }
}
