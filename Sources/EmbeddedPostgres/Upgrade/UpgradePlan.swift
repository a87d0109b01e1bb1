import Glibc

/// What an upgrade is going to do, and the room that it takes.
package struct UpgradePlan: Sendable, Equatable {
    package let from: Int
    package let to: Int
    /// The directories of the programs.
    package let oldBinaries: String
    package let newBinaries: String
    /// What the cluster takes on its disk, without its WAL.
    package let clusterMebibytes: Int
    package let freeMebibytes: Int
    /// The rows are written twice, into the tables and into the WAL.
    package var neededMebibytes: Int { 2 * clusterMebibytes + Limits.upgradeMebibytes }
}

extension ExclusiveCluster {
    /// Decides what to do.
    /// - Parameters:
    ///   - wanted: The version to upgrade to; nil for the newest that is installed.
    ///   - named: Directories of programs to look in first.
    /// - Throws: A sentence that says what to install, or why there is nothing to do.
    package func plan(to wanted: Int?, programs named: [String]) async throws(ClusterError) -> UpgradePlan {
        guard previousNote == nil else {
            throw .notUpgradable(
                """
                \(paths.previous) is the database from before the last upgrade. Run `causeboard upgrade --finish` to \
                remove it, or --back to return to it.
                """)
        }
        guard let cluster = FileStatus(paths.cluster, following: false), !cluster.isLink,
            let made = try Binaries.majorOfCluster(in: paths)
        else {
            throw .notUpgradable(
                "\(paths.cluster) is no directory of a database, or a link to one. Put the database itself there.")
        }
        guard cluster.device == FileStatus(paths.data, following: true)?.device else {
            throw .notUpgradable(
                """
                \(paths.cluster) is a file system of its own, so no other directory can take its place. Mount that on \
                \(paths.data) instead, with the database in a directory on it. Nothing was changed.
                """)
        }
        let installed = try await Binaries.installed(named, as: user)
        guard let old = installed[made] else {
            throw .otherMajor(
                MajorVersionMismatch(
                    cluster: paths.cluster, made: made, installed: installed.mapValues(\.directory), user: user.name))
        }
        let target = wanted ?? installed.keys.filter { Limits.majors.contains($0) }.max() ?? made
        guard target > made || wanted == made else {
            throw .notUpgradable(
                wanted.map { "PostgreSQL \($0) is older than \(made), and cannot read its data. Nothing was changed." }
                    ?? """
                    The database is PostgreSQL \(made), and no newer one is here. Install it beside, such as with \
                    'apt-get install postgresql-\(made + 2)', and run this again.
                    """)
        }
        guard let new = installed[target], Limits.majors.contains(target) else {
            throw .notUpgradable(
                """
                PostgreSQL \(target) is not installed, or none of \(Limits.majors.lowerBound) to \
                \(Limits.majors.upperBound). Install it, on Debian and Ubuntu with 'apt-get install \
                postgresql-\(target)', or name the directory of its programs in CAUSEBOARD_PG_BIN.
                """)
        }
        return UpgradePlan(
            from: made, to: target, oldBinaries: old.directory, newBinaries: new.directory,
            clusterMebibytes: try await clusterMebibytes(), freeMebibytes: freeMebibytes)
    }

    private func clusterMebibytes() async throws(ClusterError) -> Int {
        let options = ["--summarize", "--block-size=1M", "--exclude=pg_wal", paths.cluster]
        let outcome = try await Command("/usr/bin/du", options, as: .ourselves).run(within: Limits.copying)
        guard outcome.succeeded, let count = outcome.output.split(separator: "\t").first.flatMap({ Int32($0) }) else {
            throw .programFailed(program: "du", lines: ServerLog.last(outcome.output))
        }
        return Int(count)
    }

    /// What is free for everybody on the disk of the data directory.
    private var freeMebibytes: Int {
        var status = statvfs()
        guard statvfs(paths.data, &status) == 0 else { return .max }
        return Int(clamping: (UInt128(status.f_bavail) * UInt128(status.f_frsize)) >> 20)
    }
}
