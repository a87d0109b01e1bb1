import ArgumentParser
import Backup
import Credentials
import Domain
import EmbeddedPostgres
import Glibc
import Logging
import Postgres
import Storage

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database, the secret and the list of erasures into one file, while the server runs.",
        discussion: """
            The file holds the secret and the players' e-mail addresses: who has it can act as every player. It is \
            made with mode 0600; keep it as you keep the database. With --database-url the URL has to be the owner's.
            """)

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "The file to make, or - for standard output; with --verify the backup to check.") var file: String

    @Flag(help: "Restore the backup into a scratch database, audit it, compare its sums, and remove it.") var verify =
        false

    @Flag(help: "Replace a file that is there already.") var force = false

    @Flag(help: "Show no progress.") var quiet = false

    func validate() throws {
        if verify, file == "-" { throw ValidationError("--verify needs a file, which is read twice.") }
        if verify, force { throw ValidationError("--verify writes no file, so there is nothing to --force.") }
    }

    func run() async throws {
        // A reader that has gone away is an error that we tell ourselves.
        signal(SIGPIPE, SIG_IGN)
        let settings = try await Settings(database)
        if verify {
            try await Verification(settings: settings, isQuiet: quiet).run(file)
            return
        }
        try settings.requireDatabase()
        guard file != "-" || isatty(STDOUT_FILENO) == 0 else {
            throw CommandError("A backup is no text for a terminal. Name a file, or lead standard output to one.")
        }
        try await Database.withDatabase(settings) { [file, force, quiet] database, logger in
            guard let secret = try SecretSource.findText(settings) else {
                throw CommandError(
                    """
                    The secret belongs to the backup, and none was given: without it no device would be known after \
                    a restore. Give it as the server has it, in CAUSEBOARD_SECRET or --secret-file.
                    """)
            }
            let destination = try Destination(file, mayReplace: force)
            let manifest = try await BackupSource(database.owner, fence: database.fence, logger: logger).reading {
                snapshot in
                if let kept = snapshot.fingerprint, Secret(hex: secret)?.fingerprint != kept {
                    throw CommandError.otherSecret
                }
                return try await Self.write(snapshot, of: database, settings, secret, to: destination, isQuiet: quiet)
            }
            try destination.finish()
            Output.hint(
                """
                \(destination.name): the database as of \(manifest.moment), with \(Self.words(manifest.sums)). \
                It holds the secret: keep it as you keep the database.
                """)
        }
    }

    private static func write(
        _ snapshot: BackupSnapshot, of database: Database, _ settings: Settings, _ secret: String,
        to destination: Destination, isQuiet: Bool
    ) async throws -> BackupManifest {
        let programs = try await CopyPrograms.find(major: Int(snapshot.version) / 10_000, in: settings.pgBin)
        let writer = try BackupWriter(
            destination.descriptor, path: destination.name, now: snapshot.moment, secret: Array("\(secret)\n".utf8),
            erasures: Array(ErasureList.text(snapshot.erasures).utf8))
        let progress = ProgressLine("MiB written", of: nil, isQuiet: isQuiet)
        if !isQuiet {
            Output.hint("copying a database of \(snapshot.databaseBytes >> 20) MiB, as of \(snapshot.moment.text)")
        }
        defer { progress.end() }
        try await programs.dump(try database.login(), snapshot: snapshot.name) { pipe in
            try writer.addDatabase(from: Descriptor(lending: pipe)) { progress.show($0 >> 20) }
        }
        let manifest = BackupManifest(
            program: Version.text, schema: snapshot.schema, postgresql: snapshot.version, moment: snapshot.moment.text,
            position: snapshot.position,
            sums: snapshot.sums.map { .init(subject: $0.subject, rows: $0.rows, points: $0.points) })
        try writer.finish(manifest)
        return manifest
    }

    static func words(_ sums: [BackupManifest.Sum]) -> String {
        sums.prefix(2).map { "\($0.rows) \($0.subject)" }.joined(separator: " and ")
    }

    /// Where a backup goes.
    private struct Destination: Sendable {
        let name: String
        let descriptor: Descriptor
        private let file: NewFile?

        init(_ path: String, mayReplace: Bool) throws {
            if path == "-" {
                (name, descriptor, file) = ("standard output", Descriptor(lending: STDOUT_FILENO), nil)
            } else {
                let file = try NewFile(path, mayReplace: mayReplace)
                (name, descriptor, self.file) = (path, file.descriptor, file)
            }
        }

        func finish() throws { try file?.finish() }
    }
}

extension Instant {
    /// How backups and messages about them name a moment.
    var text: String { rfc3339(.microseconds) }
}

extension Database {
    /// How a program of PostgreSQL's logs in as the owner. Passwords are not among its arguments.
    func login() throws -> ProgramLogin {
        guard let login = SeparatedLogin(owner) else {
            throw CommandError("The database's URL is not one that libpq takes.")
        }
        guard cluster == nil else { return ProgramLogin(conninfo: login.conninfo) }
        // The operator's own files of passwords and certificates count for a database elsewhere.
        var inherited: [String] = []
        var variable = environ
        while let entry = variable.pointee {
            let text = String(cString: entry)
            if text.hasPrefix("PG") || text.hasPrefix("HOME=") { inherited.append(text) }
            variable += 1
        }
        let given = Set(login.environment.compactMap { $0.split(separator: "=").first })
        inherited.removeAll { text in text.split(separator: "=").first.map(given.contains) ?? true }
        return ProgramLogin(conninfo: login.conninfo, environment: inherited + login.environment)
    }
}
