import Domain
import HTTP
import HTTPServer
import Leaderboard

/// All settings. The article Settings explains them; `SettingListTests` compares it with this list.
struct SettingList: Sendable {
    static let all = SettingList()

    /// In the order of their declarations.
    var named: [any NamedSetting] { Mirror(reflecting: self).children.compactMap { $0.value as? any NamedSetting } }

    // Every command has these.

    let data = Setting<String?>(
        "data", value: "directory", "Directory of the embedded database, made when it is not there.",
        shown: "/var/lib/causeboard for root and the installed service's user")
    let databaseURL = Setting<String?>(
        "database-url", environment: "DATABASE_URL", value: "url",
        "A PostgreSQL server to use instead of the embedded one: anything libpq takes.", shown: "")
    let secret = Setting<String?>("secret", hasFlag: false, "The 64 hex digits of the secret.")
    let secretFile = Setting<String?>(
        "secret-file", value: "file",
        "File with the 64 hex digits of the secret, which may be in CAUSEBOARD_SECRET instead.",
        shown: "the file secret in the data directory")
    let settings = Setting<String?>(
        "settings", value: "file", "File with settings, a NAME=value a line, named as in the environment.",
        shown: "/etc/causeboard/causeboard.conf for the installed service's user")
    let logLevel = Setting<String?>(
        "log-level", value: "level", "trace, debug, info, notice, warning, error or critical.",
        shown: "info for serve, warning for verbs")
    let logFormat = Setting<LogFormat>(
        "log-format", value: "format", "How the log on standard error is written: text or json, a line each.",
        standard: .text)
    let pgBin = Setting<String?>(
        "pg-bin", hasFlag: false, "Directory of PostgreSQL's programs for the embedded database.", shown: "found")

    // The settings of `serve`.

    let connections = Setting<Int>(
        "connections", in: 2...1_000, value: "number", "Most connections to the database at once.", standard: 16)
    let streamURL = Setting<String?>(
        "stream-url", value: "url",
        "How to follow what is committed, with a login that may replicate, past any pooler.", shown: "as --database-url"
    )
    let replicaURL = Setting<String?>(
        "replica-url", value: "url",
        """
        A standby of the database for histories and for rankings of windows that are not in memory; the primary answers \
        while it is behind.
        """)
    let migrate = Setting<Bool>(
        "migrate", "Migrate a database named by --database-url, which must be its owner's, when that is needed.")
    let namesMemory = Setting<Int>(
        "names-memory", in: 1...1_048_576, value: "MiB",
        "Memory for players' names and the hashes of their pictures, in MiB.", standard: Limits.summaryMegabytes)
    let tiesMemory = Setting<Int>(
        "ties-memory", in: 1...1_048_576, value: "MiB", "Memory for players' friends, in MiB.",
        standard: Limits.tieMegabytes)
    let unsafeDurability = Setting<Bool>(
        "unsafe-durability", hasFlag: false,
        "Accept a database that may lose what it has committed, for tests and trials.")

    let host = Setting<String>("host", value: "address", "Address to listen on.", standard: "127.0.0.1")
    let port = Setting<Int>(
        "port", in: 0...65_535, value: "port", "Port to listen on; 0 lets the system choose.", standard: 8_080)
    let publicURL = Setting<String?>(
        "public-url", value: "url", "The only base of absolute links, such as https://scores.example.org.")
    let tlsCertificate = Setting<String?>(
        "tls-certificate", value: "file",
        """
        File with the server's certificate and its issuers', in PEM; then --port serves TLS. SIGHUP reads it again.
        """)
    let tlsKey = Setting<String?>("tls-key", value: "file", "File with the certificate's private key, in PEM.")
    let plainPort = Setting<Int?>(
        "plain-port", in: 0...65_535, value: "port", "With TLS, another port that serves without it.")
    let tlsRedirect = Setting<Bool>(
        "tls-redirect", "Send clients that come without TLS to https; the classic protocol and health stay plain.")
    let adminListen = Setting<String?>(
        "admin-listen", value: "address:port",
        "Address and port for operators: /metrics, /readyz with causes, the admin API; or off.", shown: "127.0.0.1:8081"
    )
    let adminPublic = Setting<Bool>(
        "admin-public", "Serve the admin API to clients too, and not only on the admin listener.")
    let play = Setting<Bool>(
        "play",
        """
        Serve the game at /play, which posts to the board high-scores of the game default; databases that `causeboard \
        demo` made have it anyway.
        """)
    let trustedProxies = Setting<[String]>(
        "trusted-proxies", value: "CIDR,…",
        """
        Networks of proxies in front of this server, whose word about their clients is believed, with commas or given \
        again.
        """, shown: "none")
    let proxyHeader = Setting<TrustedProxies.Header>(
        "proxy-header", value: "header",
        "The one header in which these proxies name their client: x-forwarded-for or forwarded.",
        standard: .xForwardedFor)

    let outgoingAllow = Setting<[String]>(
        "outgoing-allow", value: "CIDR,…",
        """
        Up to 8 private networks in which the server may fetch the keys of sign-in providers, besides public ones.
        """, shown: "none")

    let limit = Setting<[String]>(
        "limit", value: "name=rate:burst",
        """
        Sets a limit, such as address-reads=6000/min:12000: units are s, min, h and day, the burst follows the colon. \
        May be given again.
        """, shown: "")
    let limits = Setting<OnOff>(
        "limits", value: "on|off", "on, or off to limit no rates. Bounds on memory and connections stay.", standard: .on
    )
    let connectionsPerAddress = Setting<Int>(
        "connections-per-address", in: 1...1_000_000, value: "number",
        "Most connections that one client address may have open.", standard: Limits.connectionsOfAddress)
    let eventNetwork = Setting<[String]>(
        "event-network", value: "CIDR,…",
        "Up to 8 networks of an event, such as a hall behind one address, which no limit of an address counts.",
        shown: "none")

    let diskReserve = Setting<Int?>(
        "disk-reserve", in: 0...1 << 30, value: "MiB",
        "Space on the database's disk that only scores and donations may use, in MiB; 0 for none.",
        shown: "a tenth of the disk, 2048 at most")
    let databaseMax = Setting<Int?>(
        "database-max", in: 0...1 << 30, value: "MiB",
        """
        How large the database may get, in MiB. A server cannot see the disk of a database elsewhere, so without this \
        option there is no reserve there.
        """, shown: "")
    let purgeAfter = Setting<Int?>(
        "purge-after", daysFrom: 30,
        "Erase players who have not called for so many days, 30 or more; 0, as without it, for never.", standard: nil,
        shown: "")
    let savesAfter = Setting<Int?>(
        "saves-after", daysFrom: 30,
        "Delete the saves of players who have been inactive for so many days, 30 or more; 0 for never.", standard: 400,
        shown: "400")
    let sweepAfter = Setting<Int?>(
        "sweep-after", daysFrom: 1,
        """
        Delete pictures that nobody has, and codes that have run out, after so many days, 1 or more; 0 for never.
        """, standard: 30, shown: "30")
    let pastAfter = Setting<Int?>(
        "past-after", daysFrom: 30,
        """
        Put scores and donations aside after so many days, 30 or more, where they are read as before; 0, as without \
        it, for never.
        """, standard: nil, shown: "")
    let archive = Setting<String?>(
        "archive", value: "directory",
        """
        Directory, on another disk, that gets base backups and the write-ahead log of the embedded database, for \
        `causeboard restore --archive`.
        """)
    let archiveBaseDays = Setting<Int>(
        "archive-base-days", in: 1...365, value: "days", "Days after which another base backup is made, 1 to 365.",
        standard: 7)
    let archiveKeep = Setting<Int>(
        "archive-keep", in: 0...1_000, value: "number",
        "How many base backups are kept, with the log from the oldest on; 0 for all.", standard: 4)

    let accessLog = Setting<String?>(
        "access-log", value: "file", "File that gets a line for each request, or - for standard output.")
    let traceOtlp = Setting<String?>(
        "trace-otlp", value: "url",
        "Where spans are sent, by OTLP over HTTP in JSON, such as http://127.0.0.1:4318/v1/traces.")
    let traceLines = Setting<String?>(
        "trace-lines", value: "file", "File that gets a line for each span, or - for standard output.")
    let traceSample = Setting<Double>(
        "trace-sample", value: "share", "Share of requests that are traced, 0 to 1.", standard: 0.01,
        shown: "0.01 where spans go anywhere", expected: "a share of all requests, 0 to 1"
    ) { text in Double(text).flatMap { (0...1).contains($0) ? $0 : nil } }
}

enum OnOff: String, CaseIterable, Sendable { case on, off }
