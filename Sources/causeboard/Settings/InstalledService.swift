import Glibc

/// The service of an installed package, whose user needs no flag and no environment: `runuser -u causeboard --
/// causeboard audit` finds the settings, the database and its socket as the service does. `deploy/systemd` has the same
/// paths.
enum InstalledService {
    static let stateDirectory = "/var/lib/causeboard"

    /// Whether we are the service's user: one who is not root and to whom the state directory belongs.
    static let isOurs = geteuid() != 0 && owner(of: stateDirectory) == geteuid()

    /// The settings file; nil when we are not the service's user, or there is none.
    static var settings: String? { existing("/etc/causeboard/causeboard.conf") }

    /// Where the socket of its embedded database is. It is not in `/tmp`, because the service has a `/tmp` of its own.
    static var runtimeDirectory: String? { existing("/run/causeboard-service") }

    private static func existing(_ path: String) -> String? { isOurs && owner(of: path) != nil ? path : nil }

    private static func owner(of path: String) -> uid_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }
}
