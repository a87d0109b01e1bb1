import Backup
import Domain
import EmbeddedPostgres
import FoundationEssentials
import Glibc
import HTTP
import Logging
import ServiceLifecycle
import Storage
import Synchronization

/// Keeps the archive of the embedded database: base backups when they are due, the secret and the list of erasures
/// beside them, and an eye on whether PostgreSQL hands its write-ahead log over.
final class Archiving: Service {
    private struct State {
        var health = ArchiveHealth()
        var hasBaseFailed = false
        /// How many players the kept list has; nil before it is written.
        var erasures: Int64?
    }

    /// Seconds from one look to the next.
    private static let lookSeconds: Int64 = 5
    /// Seconds after which a waiting segment is late: a few times as long as the archiver pauses after a failure.
    private static let lateSeconds = 180
    /// Seconds from one look whether a base backup is due to the next, also after one that failed.
    private static let baseSeconds: Int64 = 60

    private let layout: ArchiveLayout
    private let settings: ArchiveServing
    private let cluster: EmbeddedCluster
    private let source: BackupSource
    private let logger: Logger
    private let state = Mutex(State())

    init(_ settings: ArchiveServing, _ cluster: EmbeddedCluster, owner: String, logger: Logger) {
        layout = settings.layout
        self.settings = settings
        self.cluster = cluster
        source = BackupSource(owner, logger: logger)
        self.logger = logger
    }

    var health: ArchiveHealth { state.withLock(\.health) }

    /// What `serve --archive` keeps; nil without it.
    static func begun(_ serving: ArchiveServing?, _ database: Database, _ settings: Settings, logger: Logger)
        async throws -> Archiving?
    {
        guard let serving, let cluster = database.cluster, let secret = try SecretSource.findText(settings) else {
            return nil
        }
        let archiving = Archiving(serving, cluster, owner: database.owner, logger: logger)
        try await archiving.begin(secret: secret)
        return archiving
    }

    /// Ties the archive to the database, and keeps the secret in it.
    /// - Throws: ``CommandError`` when it is the archive of another database.
    func begin(secret: String) async throws {
        let system = try await source.archiverState().system
        let known = (try? String(contentsOfFile: layout.system, encoding: .utf8))?.filter { !$0.isWhitespace }
        let ours = "\(system)-\(settings.timeline ?? 1)"
        guard known == nil || known == ours else { throw CommandError.otherArchive(layout.directory) }
        try Self.replace(layout.system, with: "\(ours)\n")
        try Self.replace(layout.secret, with: "\(secret)\n")
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.watch() }
                group.addTask { await self.makeBases() }
            }
        }
    }

    // MARK: The write-ahead log

    private func watch() async {
        while !Task.isCancelled {
            // While the database is away, what was seen last counts.
            if let seen = try? await source.archiverState() {
                note(seen)
                await keepErasures(seen.erasures)
            }
            try? await Task.sleep(for: .seconds(Self.lookSeconds))
        }
    }

    private func note(_ seen: ArchiverState) {
        func seconds(since instant: Instant?) -> Int {
            instant.map { Int(clamping: (seen.clock.microsecondsSince1970 - $0.microsecondsSince1970) / 1_000_000) }
                ?? 0
        }
        let base = layout.made(by: seen.clock).last?.moment
        let (before, now) = state.withLock { state in
            let before = state.health
            var troubles: [ArchiveHealth.Trouble] = []
            let isFailing = seen.lastFailed.map { failed in seen.lastArchived.map { $0 < failed } ?? true } ?? false
            if isFailing { troubles.append(.failing) }
            if seconds(since: seen.waitingSince) > Self.lateSeconds { troubles.append(.behind) }
            if state.hasBaseFailed { troubles.append(.base) }
            state.health = ArchiveHealth(
                troubles: troubles, waitingFiles: Int(clamping: seen.waitingFiles),
                waitingSeconds: seconds(since: seen.waitingSince), archived: Int(clamping: seen.archived),
                failures: Int(clamping: seen.failures), baseSeconds: base.map { seconds(since: $0) })
            return (before, state.health)
        }
        guard before.troubles != now.troubles else { return }
        if now.troubles.isEmpty {
            logger.info("the archive is whole again", metadata: ["directory": "\(layout.directory)"])
        } else {
            logger.error(
                "the archive is not kept: what is not archived fills the disk, and is lost with it",
                metadata: [
                    "causes": "\(now.troubles.map(\.rawValue).joined(separator: " "))",
                    "directory": "\(layout.directory)", "file": "\(seen.failedFile ?? "")",
                    "waiting": "\(now.waitingFiles)",
                ])
        }
    }

    /// Keeps the list of erasures, so that an earlier copy erases them again.
    /// - Parameter count: How many players were erased until now.
    private func keepErasures(_ count: Int64) async {
        guard state.withLock({ $0.erasures }) != count, let all = try? await source.erasures() else { return }
        guard (try? Self.replace(layout.erasures, with: ErasureList.text(all))) != nil else { return }
        state.withLock { $0.erasures = Int64(all.count) }
    }

    // MARK: Base backups

    private func makeBases() async {
        while !Task.isCancelled {
            do {
                if layout.isBaseDue(afterDays: settings.baseDays, now: .now) { try await makeBase() }
                state.withLock { $0.hasBaseFailed = false }
            } catch {
                if Task.isCancelled { return }
                state.withLock { $0.hasBaseFailed = true }
                logger.error("a base backup could not be made", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: .seconds(Self.baseSeconds))
        }
    }

    private func makeBase() async throws {
        let draft = "\(layout.bases)/unfinished"
        await cluster.remove(draft)
        logger.info("making a base backup", metadata: ["directory": "\(layout.bases)"])
        do {
            try await cluster.copyFiles(to: draft)
            let moment = try await source.archiverState().clock
            let path = "\(layout.bases)/\(BaseBackup.name(completeAt: moment))"
            guard rename(draft, path) == 0 else { throw CommandError("\(draft) cannot be renamed to \(path).") }
            // The new one is there for good before an old one goes.
            synchronize(directoryOf: path)
        } catch {
            await cluster.remove(draft)
            throw error
        }
        logger.info("a base backup is complete", metadata: ["directory": "\(layout.bases)"])
        await prune()
    }

    /// Removes the base backups beyond those that are kept, and segments that none of the kept ones needs.
    private func prune() async {
        guard settings.keptBases > 0 else { return }
        let superfluous = layout.superfluous(keeping: settings.keptBases, now: .now)
        for base in superfluous.bases { await cluster.remove(base.directory) }
        if !superfluous.unreadable.isEmpty {
            logger.error(
                "the archived write-ahead log is not pruned, and grows: the manifest of a base backup cannot be read",
                metadata: ["directories": "\(superfluous.unreadable.joined(separator: " "))"])
        }
        guard let oldest = superfluous.firstSegmentKept else { return }
        WALArchive(layout.wal).prune(before: oldest, now: Int(clamping: Instant.now.microsecondsSince1970 / 1_000_000))
    }

    /// Replaces a small file that nobody else may read.
    private static func replace(_ path: String, with text: String) throws {
        let file = try NewFile(path, mayReplace: true)
        try file.descriptor.write(Array(text.utf8), to: path)
        try file.finish()
    }
}
