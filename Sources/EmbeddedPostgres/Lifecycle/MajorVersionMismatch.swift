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
        guard let newest = installed.keys.max(), newest > made else { return "" }
        return """
             To move to PostgreSQL \(newest) instead, install postgresql-\(made) beside it for as long as that takes, \
            and run `causeboard upgrade` as who starts the server. If you have a backup of now, `causeboard restore` \
            into a new directory does without.
            """
    }
}
