import Glibc

/// What an upgrade is going to do, and what that takes.
package struct UpgradePlan: Sendable, Equatable {
    package enum Method: String, Sendable, Codable {
        /// `pg_upgrade` copies the files.
        case files
        /// `pg_dump` and `pg_restore` copy the rows.
        case rows
    }

    package let from: Int
    package let to: Int
    package let method: Method
    /// The directories of the programs.
    package let oldBinaries: String
    package let newBinaries: String
    /// What the cluster takes on its disk.
    package let clusterBytes: Int
    package let neededBytes: Int
    package let freeBytes: Int
}

extension ClusterUpgrade {
    /// Decides what to do.
    /// - Parameters:
    ///   - wanted: The version to move to; nil for the newest that is installed.
    ///   - named: Directories of programs to look in first.
    ///   - byRows: Whether `pg_upgrade` is not to be used, although it is there.
    /// - Throws: A sentence that says what to install, or why there is nothing to do.
    package func plan(to wanted: Int?, programs named: [String], byRows: Bool) async throws(ClusterError) -> UpgradePlan
    {
        guard FileStatus(paths.previous, following: false) == nil else {
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
        let newest = installed.keys.filter { Limits.majors.contains($0) }.max() ?? made
        let target = wanted ?? newest
        guard target > made || wanted == made else {
            throw .notUpgradable(
                wanted.map { "PostgreSQL \($0) is older than \(made), and cannot read its files. Nothing was changed." }
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
        let method: UpgradePlan.Method = byRows || access(new.program("pg_upgrade"), X_OK) != 0 ? .rows : .files
        let bytes = try await size(of: paths.cluster)
        // Rows are written twice, into the tables and into the log of changes.
        let factor = method == .files ? 1 : 2
        return UpgradePlan(
            from: made, to: target, method: method, oldBinaries: old.directory, newBinaries: new.directory,
            clusterBytes: bytes, neededBytes: bytes.multipliedClamping(by: factor).addingClamping(Limits.upgradeBytes),
            freeBytes: Self.room(on: paths.data))
    }

    private func size(of directory: String) async throws(ClusterError) -> Int {
        let outcome = try await Command("/usr/bin/du", ["--summarize", "--block-size=1", directory], as: .ourselves)
            .run(within: Limits.copying)
        guard outcome.succeeded, let bytes = outcome.output.split(separator: "\t").first.flatMap({ Int($0) }) else {
            throw .programFailed(program: "du", lines: ServerLog.last(outcome.output))
        }
        return bytes
    }

    /// The bytes that are free on a file system for everybody.
    private static func room(on path: String) -> Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return .max }
        return Int(clamping: status.f_bavail).multipliedClamping(by: Int(clamping: status.f_frsize))
    }
}

extension Int {
    fileprivate func multipliedClamping(by other: Int) -> Int {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? .max : product
    }

    fileprivate func addingClamping(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
