package import Logging

/// What the embedded PostgreSQL of one data directory is told. Only `dataDirectory` and `logger` are needed.
package struct ClusterSettings: Sendable {
    /// The data directory, absolute or relative to the working directory. It is made when it is not there (its parents too).
    package var dataDirectory: String
    package var logger: Logger
    /// False switches `fsync` off: a power cut may then destroy the cluster, so it is for tests only.
    package var durable: Bool
    /// Where `initdb`, `postgres`, `psql` and `createdb` are; nil looks in Debian's places, then asks `pg_config`, then searches PATH.
    package var binariesDirectory: String?
    /// Where a socket directory may be made (`$XDG_RUNTIME_DIR`); it is used when it is ours alone and short enough, otherwise `/tmp` is.
    /// Root does not need it: root uses `/run/causeboard`.
    package var runtimeDirectory: String?
    /// Who runs PostgreSQL when root opens the cluster, because PostgreSQL refuses to run as root. Ignored for everybody else.
    package var operatingSystemUser: String
    /// More PostgreSQL settings by name, as they are written in `postgresql.conf` but without quotes: `["shared_buffers": "1GB"]`.
    /// They win over the house's choices, except over those that keep the database private and the stream possible.
    package var extra: [String: String]
    /// How long a start may take, crash recovery included.
    package var startTimeout: Duration

    package init(
        dataDirectory: String, logger: Logger, durable: Bool = true, binariesDirectory: String? = nil, runtimeDirectory: String? = nil,
        operatingSystemUser: String = "postgres", extra: [String: String] = [:], startTimeout: Duration = .seconds(600)
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
