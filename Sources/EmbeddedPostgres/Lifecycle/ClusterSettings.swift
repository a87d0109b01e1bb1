package import Logging

/// The settings of the embedded PostgreSQL of one data directory. Only `dataDirectory` and `logger` have no default.
package struct ClusterSettings: Sendable {
    /// The data directory, absolute or relative to the working directory. It is made when it does not exist, and so are
    /// its parents.
    package var dataDirectory: String
    package var logger: Logger
    /// False switches `fsync` off: a power cut may then destroy the cluster, so it is for tests only.
    package var durable: Bool
    /// The directory of `initdb`, `postgres`, `psql` and `createdb`. Nil searches Debian's package directories, then
    /// the one that `pg_config` names, then PATH.
    package var binariesDirectory: String?
    /// Where a socket directory may be made (`$XDG_RUNTIME_DIR`). It is used when only we can write into it and it is
    /// short enough, otherwise `/tmp` is used. Root uses `/run/causeboard` unless others can enter this directory.
    package var runtimeDirectory: String?
    /// The user who runs PostgreSQL when root opens the cluster, because PostgreSQL refuses to run as root. Ignored
    /// when another user opens it.
    package var operatingSystemUser: String
    /// More PostgreSQL settings by name, as they are written in `postgresql.conf` but without quotes:
    /// `["shared_buffers": "1GB"]`. They override our defaults, except for those settings that keep the database
    /// private, its log free of players' data and replication possible.
    package var extra: [String: String]
    /// How long a start may take, crash recovery included.
    package var startTimeout: Duration

    package init(
        dataDirectory: String,
        logger: Logger,
        durable: Bool = true,
        binariesDirectory: String? = nil,
        runtimeDirectory: String? = nil,
        operatingSystemUser: String = "postgres",
        extra: [String: String] = [:],
        startTimeout: Duration = .seconds(600)
    ) {
        self.dataDirectory = dataDirectory
        self.logger = logger
        self.durable = durable
        self.binariesDirectory = binariesDirectory
        self.runtimeDirectory = runtimeDirectory
        self.operatingSystemUser = operatingSystemUser
        self.extra = extra
        self.startTimeout = startTimeout
    }
}

/// All limits of this module.
enum Limits {
    /// PostgreSQL's major versions that may make a new cluster.
    static let majors = 15...18
    /// The majors that are searched for among the system's packages. An existing cluster needs the one that made it.
    static let packagedMajors = 10...40
    /// `sockaddr_un.sun_path` has 108 bytes, the last of which is the closing zero.
    static let socketPathBytesMax = 107
    /// Above this size the server log starts again; one older part is kept beside it.
    static let logBytesMax = 16 << 20
    /// How much of the end of a program's output is kept.
    static let outputBytesMax = 16 << 10
    /// The bound for `postmaster.pid`, `PG_VERSION`, `/proc/PID/status` and, largest by far, `postgresql.conf` (about
    /// 30 KB as initdb makes it).
    static let smallFileBytesMax = 1 << 20
    /// How many lines of a log an error quotes.
    static let quotedLinesMax = 12

    /// How long `open` waits for another process that is making, starting or stopping the same cluster.
    static let startLock: Duration = .seconds(120)
    /// How long `close` waits for such a process, and `open` for the shared users lock.
    static let closeLock: Duration = .seconds(10)
    static let initdb: Duration = .seconds(180)
    /// The bound for `psql`, `createdb`, `test` and `postgres --version`, which normally end at once.
    static let shortCommand: Duration = .seconds(30)
    /// How long a fast shutdown may take while it works. With the server's own drain and the immediate shutdown after
    /// it this is less than the 90 s after which systemd kills a service that does not stop.
    static let fastShutdown: Duration = .seconds(60)
    /// How long a fast shutdown may do nothing. It waits for walsenders; one that does not respond must not delay the
    /// server's end for long.
    static let shutdownStall: Duration = .seconds(8)
    /// How often a shutdown's activity is looked at.
    static let activityLook: Duration = .milliseconds(250)
    static let immediateShutdown: Duration = .seconds(7)
    /// How long orphaned backends may take to exit by themselves. They exit when they notice that their postmaster
    /// died, which a busy one does not.
    static let orphansLeave: Duration = .seconds(1)
    static let orphansQuit: Duration = .seconds(5)

    /// How often children, locks and `postmaster.pid` are checked while we wait for them.
    static let poll: Duration = .milliseconds(10)
    /// How often `run` checks the postmaster.
    static let watch: Duration = .milliseconds(250)
    static let logCheck: Duration = .seconds(60)
    /// Pauses between restarts double from the lower to the upper bound. They start over once the last restart is
    /// longer ago than `steady`.
    static let backOff: ClosedRange<Duration> = .milliseconds(250)...(.seconds(10))
    static let steady: Duration = .seconds(60)
}
