import ArgumentParser

/// The options of `serve` about the archive of the embedded database.
struct ArchiveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Directory, on another disk, that gets base backups and the log of changes of the embedded database, for \
            `causeboard restore --archive`. CAUSEBOARD_ARCHIVE; none.
            """,
            valueName: "directory"
        )
    ) var archive: String?

    @Option(
        help: ArgumentHelp(
            "Days after which another base backup is made, 1 to 365. CAUSEBOARD_ARCHIVE_BASE_DAYS; 7.",
            valueName: "days"
        )
    ) var archiveBaseDays: Int?

    @Option(
        help: ArgumentHelp(
            "How many base backups are kept, with the log from the oldest on; 0 for all. CAUSEBOARD_ARCHIVE_KEEP; 4.",
            valueName: "number"
        )
    ) var archiveKeep: Int?
}
