import ArgumentParser

/// The options that every command takes: its database, secret, settings file and log level.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Directory of the embedded database, made when it is not there. \
            CAUSEBOARD_DATA; /var/lib/causeboard for root and the installed service's user.
            """, valueName: "directory")) var data: String?

    @Option(
        help: ArgumentHelp(
            "A PostgreSQL server to use instead of the embedded one: anything libpq takes. DATABASE_URL.",
            valueName: "url")) var databaseURL: String?

    @Option(
        help: ArgumentHelp(
            "File with the 64 hex digits of the secret. CAUSEBOARD_SECRET_FILE, or the digits in CAUSEBOARD_SECRET.",
            valueName: "file")) var secretFile: String?

    @Option(
        help: ArgumentHelp(
            """
            File with settings, a NAME=value a line, named as in the environment. \
            CAUSEBOARD_SETTINGS; /etc/causeboard/causeboard.conf for the installed service's user.
            """, valueName: "file")) var settings: String?

    @Option(
        help: ArgumentHelp(
            """
            trace, debug, info, notice, warning, error or critical. \
            CAUSEBOARD_LOG_LEVEL; info for serve, warning for verbs.
            """)) var logLevel: String?

    @Option(
        help: ArgumentHelp(
            "How the log on standard error is written: text or json, a line each. CAUSEBOARD_LOG_FORMAT; text.",
            valueName: "format")) var logFormat: String?
}

/// The options of `serve` about other ways to the database than that of its statements.
struct DatabaseWays: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            How to follow what is committed, with a login that may replicate, past any pooler. \
            CAUSEBOARD_STREAM_URL; as --database-url.
            """, valueName: "url")) var streamURL: String?

    @Option(
        help: ArgumentHelp(
            """
            A standby of the database for histories and for rankings of windows that are not in memory; the primary \
            answers while it is behind. CAUSEBOARD_REPLICA_URL; none.
            """, valueName: "url")) var replicaURL: String?
}
