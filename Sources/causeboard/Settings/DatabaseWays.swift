import ArgumentParser

/// The options of `serve` about other ways to the database than that of its statements.
struct DatabaseWays: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            How to follow what is committed, with a login that may replicate, past any pooler. \
            CAUSEBOARD_STREAM_URL; as --database-url.
            """,
            valueName: "url"
        )
    ) var streamURL: String?

    @Option(
        help: ArgumentHelp(
            """
            A standby of the database for histories and for rankings of windows that are not in memory; the primary \
            answers while it is behind. CAUSEBOARD_REPLICA_URL; none.
            """,
            valueName: "url"
        )
    ) var replicaURL: String?
}
