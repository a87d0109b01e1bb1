import ArgumentParser
import Backup
import Domain
import FoundationEssentials
import Glibc
import Logging
import Storage

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract:
            "Fill an empty data directory or database from a backup, or from an archive as of a moment, and audit it.",
        discussion: """
            Nothing is written before the whole backup has been checked. Players who were erased are erased again: \
            those of the backup's or the archive's own list, and those of --erasures. Exits 1 if the books do \
            not balance.
            """)

    @OptionGroup var database: DatabaseOptions

    @Argument(help: "A file that `causeboard backup` has made.") var file: String?

    @Option(help: ArgumentHelp("Restore from this directory of `serve --archive` instead.", valueName: "directory"))
    var archive: String?

    @Option(
        help: ArgumentHelp(
            "With --archive: restore what was committed before this moment, such as 2026-11-22T10:00:00Z.",
            valueName: "moment")) var to: String?

    @Option(help: ArgumentHelp("A later list of `causeboard erasures list`, to apply as well.", valueName: "file"))
    var erasures: String?

    @Flag(help: "Show no progress.") var quiet = false

    func validate() throws {
        guard (file == nil) != (archive == nil) else { throw ValidationError("Give a backup, or --archive.") }
        if to != nil, archive == nil {
            throw ValidationError("A backup is of one moment. --to takes an archive, with --archive.")
        }
        if let to, Instant(rfc3339: to) == nil {
            throw ValidationError("--to is a moment in RFC 3339, such as 2026-11-22T10:00:00Z.")
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        let settings = try await Settings(database)
        let logger = Log.start(settings.logLevel ?? .warning, settings.logFormat)
        let restoration = Restoration(
            settings: settings, logger: logger, isQuiet: quiet,
            erasures: try erasures.map { try ErasureList.players(inFile: $0) } ?? [])
        do {
            let findings = try await Interruption.heeded { [file, archive, to, quiet] in
                if let archive {
                    let layout = ArchiveLayout(OwnProgram.absolute(archive))
                    return try await restoration.restore(layout, to: to.flatMap { Instant(rfc3339: $0) })
                }
                // What is not empty is told before a large file is read.
                _ = try restoration.requireEmptyDirectory()
                return try await restoration.restore(BackupFile.read(file ?? "", isQuiet: quiet))
            }
            try AuditReport.write(findings)
        } catch { throw CommandError.explaining(error) }
    }
}

/// This program as PostgreSQL runs it.
enum OwnProgram {
    /// The absolute path of the running program.
    static var path: String {
        guard let resolved = realpath("/proc/self/exe", nil) else { return CommandLine.arguments[0] }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return FileManager.default.currentDirectoryPath + "/" + path
    }
}
