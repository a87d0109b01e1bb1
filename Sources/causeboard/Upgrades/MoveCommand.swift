import ArgumentParser
import Glibc
import Logging
import Postgres

struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move the embedded database to a PostgreSQL server elsewhere, or from there to here.",
        discussion: """
            Stop every server on it first. The place that it goes to has to be empty. Every table is compared and the \
            books are audited at the end; what it came from is not changed, and stays. For a database elsewhere the \
            URL is the owner's.
            """)

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("The empty database that the embedded one is copied to.", valueName: "url")) var to:
        String?

    @Option(help: ArgumentHelp("The database that is copied into a new directory, --data.", valueName: "url")) var from:
        String?

    @Option(
        help: ArgumentHelp(
            "With --to: a file to be made that has the secret, for the servers on the new place.", valueName: "file"))
    var secretCopy: String?

    @Flag(help: "Show no progress.") var quiet = false

    func validate() throws {
        guard (to == nil) != (from == nil) else { throw ValidationError("Give --to or --from.") }
        if to?.isEmpty == true || from?.isEmpty == true { throw ValidationError("The URL is empty.") }
        if secretCopy != nil, to == nil { throw ValidationError("--secret-copy goes with --to.") }
        if database[\.databaseURL] != nil {
            throw ValidationError("The embedded database is named with --data, and the other with --to or --from.")
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        // The settings of an embedded database take libpq's variables away.
        let (to, from) = (to.map(LoginEnvironment.completed), from.map(LoginEnvironment.completed))
        let settings = try await Settings(database)
        guard case .embedded(let directory) = settings.location else {
            throw CommandError("The settings name a database elsewhere. Name the embedded one with --data.")
        }
        let logger = Log.start(settings.logLevel ?? .warning, settings.logFormat)
        let move = Move(settings: settings, directory: directory, logger: logger, isQuiet: quiet)
        do {
            try await Interruption.heeded { [secretCopy] in
                if let to { try await move.move(to: to, secretCopy: secretCopy) }
                if let from { try await move.move(from: from) }
            }
        } catch { throw CommandError.explaining(error) }
    }
}
