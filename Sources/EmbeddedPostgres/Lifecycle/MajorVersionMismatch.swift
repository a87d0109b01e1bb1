/// A cluster whose major version of PostgreSQL is not installed, with what the operator can do about it.
package struct MajorVersionMismatch: Sendable, Equatable, CustomStringConvertible {
    /// The cluster's directory.
    package let cluster: String
    /// The major version that made it.
    package let made: Int
    /// Installed majors with the directories of their programs.
    package let installed: [Int: String]
    /// The user who runs PostgreSQL.
    package let user: String

    package var description: String {
        let found = installed.keys.sorted()
        let here =
            found.isEmpty
            ? "no PostgreSQL is installed" : "only PostgreSQL \(found.map(String.init).joined(separator: " and ")) is"
        return """
            The database in \(cluster) was made by PostgreSQL \(made) and runs on that major version only; \
            here, \(here). \
            Install it with 'apt-get install postgresql-\(made)' (https://apt.postgresql.org has the versions that \
            your system has dropped) and start again.\(upgrade)
            """
    }

    /// How to upgrade the cluster; empty unless a newer major is installed.
    private var upgrade: String {
        guard let newest = installed.keys.max(), newest > made, let binaries = installed[newest] else { return "" }
        return """
             To move to PostgreSQL \(newest) instead, install postgresql-\(made) beside it for as long as it takes, \
            make a backup, stop every causeboard, and run, as who starts it:
              install -d -m 700 -o \(user) \(quoted(".\(newest)"))
            then, as \(user):
              cd /tmp
              \(binaries)/initdb -D \(quoted(".\(newest)")) -U \(EmbeddedCluster.owner) \
            \(InitdbOptions.fixed.joined(separator: " "))
              \(binaries)/pg_upgrade -U \(EmbeddedCluster.owner) -b /usr/lib/postgresql/\(made)/bin -B \(binaries) \
            -d \(quoted("")) -D \(quoted(".\(newest)"))
            then, as the first again:
              mv \(quoted("")) \(quoted(".\(made)")) && mv \(quoted(".\(newest)")) \(quoted(""))
            """
    }

    /// The cluster's path with a suffix, quoted for a shell.
    private func quoted(_ suffix: String) -> String {
        "'" + (cluster + suffix).split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }
}
