import ArgumentParser
import EmbeddedPostgres
import Glibc
import Logging

struct UpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade", abstract: "Copy the embedded database to a newer installed PostgreSQL, or go back.",
        discussion: """
            Stop the server first. The rows are copied by pg_dump and pg_restore into a new database beside the old \
            one, which is audited and compared with it table by table before it takes its place; the old one is kept \
            until --finish. After a kill at any moment, run it again. Newer programs of Causeboard need none of this: \
            they bring the schema up to date when they start.
            """)

    @OptionGroup var database: DatabaseOptions

    @Option(
        help: ArgumentHelp(
            "The major version to copy to, instead of the newest installed one. The present version is allowed.",
            valueName: "major")) var to: Int?

    @Option(
        help: ArgumentHelp(
            "The programs of the old version, where they are not in the system's place for packages.",
            valueName: "directory")) var oldPrograms: String?

    @Flag(help: "Say what would be done and what it takes, and do nothing.") var dryRun = false

    @Flag(help: "Remove the previous database, which was kept.") var finish = false

    @Flag(help: "Return to the previous database, if nothing was written since.") var back = false

    @Flag(help: "With --back: return although something was written since, which is lost.") var loseWhatIsNew = false

    @Flag(help: "Show no progress.") var quiet = false

    func validate() throws {
        guard [finish, back].filter({ $0 }).count <= 1 else { throw ValidationError("Give --finish or --back.") }
        if finish || back, to != nil || dryRun {
            throw ValidationError("--finish and --back take no --to or --dry-run.")
        }
        if loseWhatIsNew, !back { throw ValidationError("--lose-what-is-new goes with --back.") }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        let settings = try await Settings(database)
        guard case .embedded(let directory) = settings.location else {
            throw CommandError(
                """
                A server elsewhere is upgraded by who runs it. Stop the servers or let them wait, follow PostgreSQL's \
                own instructions, and start again: see the article Upgrading. `causeboard move` copies a database.
                """)
        }
        try Restoration.requireFinished(settings)
        let logger = Log.start(settings.logLevel ?? .warning, settings.logFormat)
        do {
            try await Interruption.heeded { [self] in
                let upgrade = Upgrade(
                    settings: ClusterSettings(settings, directory, logger: logger),
                    named: [oldPrograms, settings.pgBin].compactMap { $0 }, logger: logger, isQuiet: quiet)
                if finish { return try await upgrade.finish() }
                if back { return try await upgrade.goBack(losing: loseWhatIsNew) }
                try requireDatabase(settings)
                try await upgrade.run(to: to, isDry: dryRun)
            }
        } catch { throw CommandError.explaining(error) }
    }

    /// While the databases change places there may be none, which the next run puts right.
    private func requireDatabase(_ settings: Settings) throws {
        guard case .embedded(let directory) = settings.location, access("\(directory)/upgrade.swap", F_OK) != 0 else {
            return
        }
        try settings.requireDatabase()
    }
}
