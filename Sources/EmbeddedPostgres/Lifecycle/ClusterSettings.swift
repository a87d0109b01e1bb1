package import Logging

/// What the embedded PostgreSQL of one data directory is told. Only `dataDirectory` and `logger` are needed.
package struct ClusterSettings: Sendable {
    /// The data directory, absolute or relative to the working directory. It is made when it is not there (its parents
    /// too).
    package var dataDirectory: String
    package var logger: Logger
    /// False switches `fsync` off: a power cut may then destroy the cluster, so it is for tests only.
    package var durable: Bool
    /// Where `initdb`, `postgres`, `psql` and `createdb` are; nil looks in Debian's places, then asks `pg_config`, then
    /// searches PATH.
    package var binariesDirectory: String?
    /// Where a socket directory may be made (`$XDG_RUNTIME_DIR`); it is used when it is ours alone and short enough,
    /// otherwise `/tmp` is. Root does not need it: root uses `/run/causeboard`.
    package var runtimeDirectory: String?
    /// Who runs PostgreSQL when root opens the cluster, because PostgreSQL refuses to run as root. Ignored for
    /// everybody else.
    package var operatingSystemUser: String
    /// More PostgreSQL settings by name, as they are written in `postgresql.conf` but without quotes:
    /// `["shared_buffers": "1GB"]`. They win over the house's choices, except over those that keep the database private
    /// and the stream possible.
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

/// Every bound of this module.
enum Limits {
    /// PostgreSQL's major versions that may make a new cluster; the newest one installed is taken.
    static let majors = 15...18
    /// The majors that are looked for among the system's packages: an existing cluster keeps the one that made it.
    static let packagedMajors = 10...40
    /// `sockaddr_un.sun_path` has 108 bytes, the last of which is the closing zero.
    static let socketPathBytesMax = 107
    /// Above this the server log starts anew; one older part is kept beside it.
    static let logBytesMax = 16 << 20
    /// What is kept of a program's output.
    static let outputBytesMax = 16 << 10
    /// `postmaster.pid`, `PG_VERSION`, `/proc/PID/status` and, largest by far, `postgresql.conf` (about 30 KB as made
    /// by initdb).
    static let smallFileBytesMax = 1 << 20
    /// Lines of a log that an error quotes.
    static let quotedLinesMax = 12

    /// How long `open` waits for another process that is making, starting or stopping the same cluster.
    static let startLock: Duration = .seconds(120)
    /// How long `close` waits for the same.
    static let closeLock: Duration = .seconds(10)
    static let initdb: Duration = .seconds(180)
    /// `psql`, `createdb`, `test`, `postgres --version`: all of them answer at once.
    static let shortCommand: Duration = .seconds(30)
    /// A fast shutdown waits for walsenders; one that does not listen must not hold up the end of the server.
    static let fastShutdown: Duration = .seconds(8)
    static let immediateShutdown: Duration = .seconds(7)
    /// Backends whose postmaster died leave by themselves when they notice; a busy one does not notice.
    static let orphansLeave: Duration = .seconds(1)
    static let orphansQuit: Duration = .seconds(5)

    /// How often children, locks and `postmaster.pid` are looked at while we wait for them.
    static let poll: Duration = .milliseconds(10)
    /// How often the watch looks at the postmaster.
    static let watch: Duration = .milliseconds(250)
    static let logCheck: Duration = .seconds(60)
    /// Pauses between restarts double from the first to the last; a run of `steady` starts them over.
    static let backOff: ClosedRange<Duration> = .milliseconds(250)...(.seconds(10))
    static let steady: Duration = .seconds(60)
}
