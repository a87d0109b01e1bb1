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
    /// How long a start may do nothing. Crash recovery takes as long as it goes on.
    package var startStallMax: Duration
    /// What the settings are derived from; nil reads it at every start.
    package var machine: Machine?
    /// Where the write-ahead log is archived. A visitor goes on with what the last server had.
    package var archive: ArchiveSettings?
    /// Whether a start is over only when the cluster takes writes, as one that is restored from an archive does at the
    /// end of its recovery.
    package var awaitsPromotion = false
    /// Whether the opener holds it as an ``ExclusiveCluster``.
    package var isExclusive = false

    package init(
        dataDirectory: String, logger: Logger, durable: Bool = true, binariesDirectory: String? = nil,
        runtimeDirectory: String? = nil, operatingSystemUser: String = "postgres", extra: [String: String] = [:],
        startStallMax: Duration = .seconds(600), machine: Machine? = nil, archive: ArchiveSettings? = nil
    ) {
        self.dataDirectory = dataDirectory
        self.logger = logger
        self.durable = durable
        self.binariesDirectory = binariesDirectory
        self.runtimeDirectory = runtimeDirectory
        self.operatingSystemUser = operatingSystemUser
        self.extra = extra
        self.startStallMax = startStallMax
        self.machine = machine
        self.archive = archive
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

    /// `shared_buffers`: a quarter of the memory within these bounds. PostgreSQL's manual names a quarter for machines
    /// of 1 GB or more, and less below, because it relies on the system's cache as well. 128 MB is PostgreSQL's own
    /// default and a quarter of the smallest machine. The upper bound is no more than prudence: nothing above 2 GB was
    /// measured, a stop has to write what is dirty of it, and the server's own memory grows with the players, too.
    static let sharedBuffersBytes = 128 << 20...8 << 30
    /// `effective_cache_size`, which only guides the planner, is half of the memory, and never less than PostgreSQL's
    /// own default, with which the plans are tested.
    static let effectiveCacheBytesMin = 4 << 30
    /// `max_wal_size` within the disk's shares below. 16 GB bound how much log a recovery reads again.
    static let walBytes = 128 << 20...16 << 30
    /// `max_wal_size` where the disk's size is not known: PostgreSQL's own default.
    static let walBytesUnknownDisk = 1 << 30
    /// A tenth of the disk is for `max_wal_size`. With what is kept for slots that is three tenths, and the rest is for
    /// the data.
    static let diskShareOfWAL = 10
    /// A sixth of the room is for `max_wal_size`. With what is kept for slots that is half of the room. The other half
    /// is for the data's growth, and because both settings are looked at when a checkpoint ends, which may be late.
    static let roomShareOfWAL = 6
    /// `max_slot_wal_keep_size` as a multiple of `max_wal_size`. It is more than one, because a slot has to outlast the
    /// loading of all standings, during which a checkpoint may come.
    static let slotShare = 2

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
    /// How often the activity of a start and of a shutdown is looked at.
    static let activityLook: Duration = .milliseconds(250)
    static let immediateShutdown: Duration = .seconds(7)
    /// How long orphaned backends may take to exit by themselves. They exit when they notice that their postmaster
    /// died, which a busy one does not.
    static let orphansLeave: Duration = .seconds(1)
    static let orphansQuit: Duration = .seconds(5)

    /// A segment of the write-ahead log is archived after this time, full or not: so much may be lost with the machine.
    static let archiveSecondsMax = 60
    /// The bound for taking a copy apart and checking it: hours, for databases of terabytes.
    static let copying: Duration = .seconds(86_400)

    /// What an upgrade needs besides the copy: a new cluster, and what programs write meanwhile.
    static let upgradeMebibytes = 256
    /// The bound for what is noted about a cluster that is kept.
    static let noteBytesMax = 4 << 20

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
