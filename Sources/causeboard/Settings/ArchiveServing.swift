import ArgumentParser
import Backup
import Configuration
import EmbeddedPostgres
import FoundationEssentials
import Logging

/// The settings of `serve --archive`.
struct ArchiveServing: Sendable {
    let layout: ArchiveLayout
    let baseDays: Int
    /// 0 keeps all.
    let keptBases: Int
    /// The timeline of the cluster; nil while it is not made yet.
    private(set) var timeline: Int?

    /// - Returns: Nil without `--archive`.
    init?(_ settings: Settings, directory: String?, baseDays: Int?, keep: Int?) throws {
        let days = try settings.number(
            baseDays, "causeboard.archive.base.days", named: "--archive-base-days (CAUSEBOARD_ARCHIVE_BASE_DAYS)",
            in: 1...365, standard: 7)
        keptBases = try settings.number(
            keep, "causeboard.archive.keep", named: "--archive-keep (CAUSEBOARD_ARCHIVE_KEEP)", in: 0...1_000,
            standard: 4)
        self.baseDays = days
        guard let directory = settings.text(directory, "causeboard.archive") else { return nil }
        guard case .embedded(let data) = settings.location else {
            throw CommandError(
                """
                --archive is for the embedded database. A PostgreSQL elsewhere has tools of its own for that, such as \
                pgBackRest; `causeboard backup` copies it too.
                """)
        }
        layout = ArchiveLayout(OwnProgram.absolute(directory))
        guard !"\(layout.directory)/".hasPrefix("\(OwnProgram.absolute(data))/") else {
            throw CommandError("\(directory) is inside the data directory, and is lost with it. Choose another disk.")
        }
    }

    /// Makes the directories, and refuses the archive of another database, before anything is archived.
    /// - Returns: What the cluster archives with.
    mutating func prepare(_ settings: Settings, logger: Logger) async throws -> ArchiveSettings {
        guard case .embedded(let directory) = settings.location else {
            throw CommandError("--archive is for the embedded database.")
        }
        let cluster = ClusterSettings(settings, directory, logger: logger)
        let program = OwnProgram.path
        try await EmbeddedCluster.prepareArchive(layout.directory, ["wal", "base"], program: program, cluster)
        let known = (try? String(contentsOfFile: layout.system, encoding: .utf8))?.filter { !$0.isWhitespace }
        let identity = try await EmbeddedCluster.identity(cluster)
        timeline = identity?.timeline
        if let known, known != identity.map({ "\($0.system)-\($0.timeline)" }) {
            throw CommandError.otherArchive(layout.directory)
        }
        return ArchiveSettings(program: program, directory: layout.wal)
    }
}

extension CommandError {
    static func otherArchive(_ directory: String) -> CommandError {
        CommandError(
            """
            \(directory) is the archive of another database, or of this one before it was restored. Give this one a \
            directory of its own with --archive.
            """)
    }
}

/// The options of `serve` about the archive of the embedded database.
struct ArchiveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Directory, on another disk, that gets base backups and the log of changes of the embedded database, for \
            `causeboard restore --archive`. CAUSEBOARD_ARCHIVE; none.
            """, valueName: "directory")) var archive: String?

    @Option(
        help: ArgumentHelp(
            "Days after which another base backup is made, 1 to 365. CAUSEBOARD_ARCHIVE_BASE_DAYS; 7.",
            valueName: "days")) var archiveBaseDays: Int?

    @Option(
        help: ArgumentHelp(
            "How many base backups are kept, with the log from the oldest on; 0 for all. CAUSEBOARD_ARCHIVE_KEEP; 4.",
            valueName: "number")) var archiveKeep: Int?
}
