import ArgumentParser
import Backup
import Glibc

// What PostgreSQL runs for each segment of its write-ahead log.

/// `archive_command`
struct ArchiveFile: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive-file",
        abstract: "Keep a segment of the write-ahead log: what PostgreSQL runs for `serve --archive`.",
        shouldDisplay: false)

    @Option var to: String
    @Argument var source: String
    @Argument var name: String

    func run() throws {
        do { try WALArchive(to).keep(source, as: name) } catch { throw CommandError("archive-file: \(error)") }
    }
}

/// `restore_command`
struct ArchiveFetch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive-fetch",
        abstract: "Get a segment of the write-ahead log back: what PostgreSQL runs for `restore --archive`.",
        shouldDisplay: false)

    /// PostgreSQL gives a recovery up for an exit code above 125. A lower one only tells it where the archive ends.
    private static let damaged: Int32 = 126

    @Option var from: String
    @Argument var name: String
    @Argument var target: String

    func run() throws {
        do { guard try WALArchive(from).fetch(name, to: target) else { throw ExitCode(1) } } catch let error
            as ArchiveError
        {
            Output.hint("archive-fetch: \(error)")
            throw ExitCode(Self.damaged)
        }
    }
}
