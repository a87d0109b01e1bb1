import Backup
import Domain
import EmbeddedPostgres
import Glibc
import Logging
import Postgres
import Storage
import Synchronization

/// A database that is copied row by row into an empty one, and verified to be the same.
struct DatabaseCopy: Sendable {
    let source: Database
    let target: Database
    /// The directory of PostgreSQL's programs; nil looks where the packages have them.
    let programs: String?
    let logger: Logger
    let isQuiet: Bool

    private func say(_ text: String) { if !isQuiet { Output.hint(text) } }

    /// Copies the rows by `pg_dump` and `pg_restore` of the target's version, in one transaction. The target is empty.
    func copyRows() async throws {
        let present = try await BackupSource(target.owner, logger: logger).present()
        let major = Int(present.version) / 10_000
        let programs = try await CopyPrograms.find(major: major, in: programs)
        let progress = ByteProgress(isQuiet: isQuiet)
        defer { progress.end() }
        try await BackupSource(source.owner, logger: logger).reading { snapshot in
            guard Int(snapshot.version) / 10_000 <= major else {
                throw CommandError(
                    """
                    The database is PostgreSQL \(snapshot.version / 10_000), and the one that it is to go to is \
                    PostgreSQL \(major), which may not read it. Take one of \(snapshot.version / 10_000) or newer.
                    """)
            }
            try await Self.lead(
                from: { body in try await programs.dump(try source.login(), snapshot: snapshot.name, body) },
                to: { body in try await programs.restore(try target.login(), body) }, progress: { progress.show($0) })
        }
    }

    private typealias Side = @Sendable (@escaping @Sendable (CInt) throws -> Void) async throws -> Void

    /// Leads what the one program writes to the other. When either fails, the other is ended, and the error is of the
    /// one that failed first.
    private static func lead(
        from dump: @escaping Side, to restore: @escaping Side, progress: @escaping @Sendable (Int) -> Void
    ) async throws {
        let pipe = try ClosablePipe()
        try await withThrowingTaskGroup(of: (any Error)?.self) { group in
            group.addTask {
                defer { pipe.closeWriting() }
                do {
                    try await dump { from in try pump(from, pipe.writing, progress) }
                    return nil
                } catch { return error }
            }
            group.addTask {
                defer { pipe.closeReading() }
                do {
                    try await restore { to in try pump(pipe.reading, to) { _ in } }
                    return nil
                } catch { return error }
            }
            var errors: [any Error] = []
            for try await error in group { if let error { errors.append(error) } }
            // A pump that found nobody at the other end only tells that the other has failed.
            if let error = errors.first(where: { !($0 is Interrupted) }) ?? errors.first { throw error }
        }
    }

    private struct Interrupted: Error {}

    private static func pump(_ from: CInt, _ to: CInt, _ progress: (Int) -> Void) throws {
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        var sum = 0
        while true {
            let count = read(from, &chunk, chunk.count)
            if count == 0 { return }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw Interrupted()
            }
            var written = 0
            while written < count {
                let taken = chunk[written..<count].withUnsafeBytes { write(to, $0.baseAddress, $0.count) }
                if taken < 0, errno == EINTR { continue }
                guard taken > 0 else { throw Interrupted() }
                written += taken
            }
            sum += count
            progress(sum)
        }
    }

    /// Compares every table of the two.
    /// - Parameter before: What was in the source; nil reads it now.
    func compare(_ before: [TableContents]? = nil) async throws {
        let known: [TableContents]
        if let before {
            known = before
        } else {
            known = try await BackupSource(source.owner, logger: logger).contents()
        }
        let found = try await BackupSource(target.owner, logger: logger).contents()
        let differences = TableContents.differences(from: known, to: found)
        guard differences.isEmpty else {
            throw CommandError(
                """
                The copy is not what the database is: \(differences.prefix(5).joined(separator: "; ")). Somebody has \
                written meanwhile, or the copy failed. The database stays as it is; do it again with nobody on it.
                """)
        }
        let rows = found.reduce(Int64(0)) { $0.addingReportingOverflow($1.rows).partialValue }
        say("compared \(found.count) tables with \(rows) rows: they are the same")
    }

    /// Brings the copy to this program's schema, gives it roles, rights and the publication, and audits it.
    /// - Throws: ``CommandError`` when the books do not balance.
    func verify() async throws {
        let applied = try await Migrator.ofOwner(target, logger: logger).migrate(now: .now)
        if applied > 0 { say("migrations applied: \(applied)") }
        try await Migrator.ofOwner(target, logger: logger).refreshStatistics()
        let findings = try await Auditor(target.store(session: SessionPresets.auditing, logger: logger)).findings()
        let differing = findings.filter { $0.differing > 0 }.map { "\($0.subject) (\($0.differing))" }
        guard differing.isEmpty else {
            throw CommandError(
                """
                The books of the copy do not balance: \(differing.joined(separator: ", ")). Those of the database \
                itself do not either, because every row is the same. See `causeboard audit`, and `audit --repair`.
                """)
        }
        say("audited: the books balance")
    }
}

extension Migrator {
    /// The migrator of a database whose owner's login we have.
    static func ofOwner(_ database: Database, logger: Logger) -> Migrator { Migrator(database.owning, logger: logger) }
}

/// A pipe whose ends are closed once each, by whoever is done first.
final class ClosablePipe: Sendable {
    let reading: CInt
    let writing: CInt
    private let isOpen = Mutex((reading: true, writing: true))

    init() throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CommandError("No pipe can be made: \(String(cString: strerror(errno))).") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    func closeReading() {
        isOpen.withLock { open in
            if open.reading { close(reading) }
            open.reading = false
        }
    }

    func closeWriting() {
        isOpen.withLock { open in
            if open.writing { close(writing) }
            open.writing = false
        }
    }

    deinit {
        closeReading()
        closeWriting()
    }
}
