import Glibc

/// Where the embedded database's write-ahead log goes as it is written, and the program that takes it there.
package struct ArchiveSettings: Sendable, Equatable {
    /// The absolute path of `causeboard`, which PostgreSQL's user has to be able to run.
    package let program: String
    /// The absolute path of the directory of segments.
    package let directory: String

    package init(program: String, directory: String) { (self.program, self.directory) = (program, directory) }

    /// PostgreSQL replaces `%p` by the path of a segment and `%f` by its name, and runs this with a shell.
    var command: String { "\(Self.word(program)) archive-file --to \(Self.word(directory)) %p %f" }

    /// What PostgreSQL runs to get a segment back.
    package static func restoreCommand(program: String, directory: String) -> String {
        "\(word(program)) archive-fetch --from \(word(directory)) %f %p"
    }

    /// The lines for `causeboard.conf`.
    var demands: [(String, String)] {
        [("archive_mode", "on"), ("archive_command", command), ("archive_timeout", "\(Limits.archiveSecondsMax)s")]
    }

    /// One word of a shell's command in which PostgreSQL looks for `%`.
    private static func word(_ text: String) -> String {
        let doubled = text.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%")
        return "'" + doubled.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Decides what a start archives. A server keeps its settings in the data directory, so that a visitor who starts
    /// the cluster while no server runs leaves no gap in the archive.
    static func kept(_ wanted: ArchiveSettings?, as role: Role, _ paths: Paths) throws(ClusterError) -> ArchiveSettings?
    {
        guard role == .server else { return read(paths.archive) }
        guard let wanted else {
            unlink(paths.archive)
            return nil
        }
        try SmallFile.replace(paths.archive, with: "\(wanted.program)\n\(wanted.directory)\n", owner: .ourselves)
        return wanted
    }

    private static func read(_ path: String) -> ArchiveSettings? {
        let lines = SmallFile.read(path)?.split(separator: "\n").map(String.init) ?? []
        return lines.count == 2 ? ArchiveSettings(program: lines[0], directory: lines[1]) : nil
    }
}

extension Engine {
    /// Whether the running postmaster was started to archive what these settings want, and nowhere else.
    var isArchivingAsWanted: Bool {
        let lines = (SmallFile.read("\(paths.cluster)/\(Configuration.name)") ?? "").split(separator: "\n")
        guard let command = settings.archive?.command else {
            return !lines.contains { $0.hasPrefix("archive_command ") }
        }
        return lines.contains { $0 == "archive_command = \(Configuration.quoted(command))" }
    }
}
