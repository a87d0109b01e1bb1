import Glibc

/// The programs of one installed PostgreSQL.
struct Binaries: Sendable, Equatable {
    let directory: String
    let major: Int

    func program(_ name: String) -> String { "\(directory)/\(name)" }

    /// Finds the programs for a cluster.
    /// - Parameter major: the version that made the cluster; nil for a new one, which takes the newest of 15...18 in
    ///   the first place that has any.
    /// - Throws: `.noBinaries`, or `.otherMajor` for a cluster whose version is not installed.
    static func choose(major: Int?, paths: Paths, settings: ClusterSettings, user: ClusterUser)
        async throws(ClusterError) -> Binaries
    {
        var found: [Int: String] = [:]
        var searched: [String] = []
        for source in BinarySource.all(override: settings.binariesDirectory) {
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
        throw .otherMajor(MajorVersionMismatch(cluster: paths.cluster, made: major, installed: found, user: user.name))
    }

    /// Finds every installed version in the places that are searched, and in those that are named first.
    static func installed(_ named: [String], as user: ClusterUser) async throws(ClusterError) -> [Int: Binaries] {
        var found: [Int: Binaries] = [:]
        for source in named.map(BinarySource.directory) + BinarySource.all(override: nil) {
            for binaries in try await source.look(as: user) where found[binaries.major] == nil {
                found[binaries.major] = binaries
            }
        }
        return found
    }

    /// Reads the major version that made a cluster.
    /// - Returns: Nil when there is no cluster yet.
    /// - Throws: `.mountPoint` when a fresh volume is mounted at its path, `.notACluster` when something else is there.
    static func majorOfCluster(in paths: Paths) throws(ClusterError) -> Int? {
        guard let status = FileStatus(paths.cluster, following: false) else { return nil }
        if let text = SmallFile.read(paths.version), let line = text.split(separator: "\n").first, let major = Int(line)
        {
            return major
        }
        // Removing an empty directory loses nothing; an operator may have made it. A mount point cannot be removed.
        if status.isDirectory {
            if rmdir(paths.cluster) == 0 { return nil }
            if isFresh(paths.cluster) { throw .mountPoint(cluster: paths.cluster, data: paths.data) }
        }
        throw .notACluster(paths.cluster)
    }
}

extension Binaries {
    /// Whether a directory is empty but for what a new file system has.
    private static func isFresh(_ path: String) -> Bool { names(in: path)?.allSatisfy { $0 == "lost+found" } ?? false }
}

/// A place where PostgreSQL's programs may be.
enum BinarySource: CustomStringConvertible {
    /// The directory that the operator named.
    case directory(String)
    /// Debian's and Ubuntu's packages: one directory for each major.
    case packages
    /// The directory that `pg_config` names.
    case configured
    /// The directories of PATH.
    case path

    static func all(override: String?) -> [BinarySource] {
        override.map { [.directory($0)] } ?? [.packages, .configured, .path]
    }

    var description: String {
        switch self {
        case .directory(let path): path
        case .packages: "\(Self.packagesRoot)/*/bin"
        case .configured: "'pg_config --bindir'"
        case .path: "PATH"
        }
    }

    /// The programs that a cluster needs.
    static let ofClusters = ["initdb", "postgres", "psql", "createdb"]

    /// Finds the installations there that have all of these programs.
    func look(for programs: [String] = ofClusters, as user: ClusterUser) async throws(ClusterError) -> [Binaries] {
        switch self {
        case .directory(let path): return try await Self.installations(of: programs, in: [path], as: user)
        case .packages:
            // The directory's name is the version, so no program has to be run.
            return Limits.packagedMajors.map { Binaries(directory: "\(Self.packagesRoot)/\($0)/bin", major: $0) }.filter
            { $0.has(programs) }
        case .configured:
            let candidates = Self.searchPath.map { "\($0)/pg_config" }
            guard let program = candidates.first(where: { access($0, X_OK) == 0 }) else { return [] }
            let outcome = try await Command(program, ["--bindir"], as: user).run(within: Limits.shortCommand)
            let directories = outcome.output.split(separator: "\n").map(String.init)
            return try await Self.installations(of: programs, in: directories, as: user)
        case .path: return try await Self.installations(of: programs, in: Self.searchPath, as: user)
        }
    }

    private static let packagesRoot = "/usr/lib/postgresql"

    private static var searchPath: [String] {
        guard let value = getenv("PATH") else { return [] }
        return String(cString: value).split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    }

    /// Asks each installation for its version: `initdb (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)`.
    private static func installations(of programs: [String], in directories: [String], as user: ClusterUser)
        async throws(ClusterError) -> [Binaries]
    {
        var found: [Binaries] = []
        for directory in directories where Binaries(directory: directory, major: 0).has(programs) {
            let outcome = try await Command("\(directory)/\(programs[0])", ["--version"], as: user).run(
                within: Limits.shortCommand)
            guard let number = outcome.output.split(separator: " ").first(where: { $0.first?.isNumber == true }) else {
                continue
            }
            if let major = Int(number.prefix(while: \.isNumber)) {
                found.append(Binaries(directory: directory, major: major))
            }
        }
        return found
    }
}

extension Binaries {
    fileprivate func has(_ programs: [String]) -> Bool { programs.allSatisfy { access(program($0), X_OK) == 0 } }
}
