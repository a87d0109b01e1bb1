import Backup
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
    init?(_ settings: Settings) throws {
        baseDays = try settings.value(\.archiveBaseDays)
        keptBases = try settings.value(\.archiveKeep)
        guard let directory = try settings.value(\.archive) else { return nil }
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
