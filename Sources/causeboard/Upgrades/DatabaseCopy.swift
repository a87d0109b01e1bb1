import Credentials
import EmbeddedPostgres
import Logging
import Postgres
import Storage

/// Copies a database row by row into an empty one and checks that both are equal, for an upgrade or a move.
struct DatabaseCopy: Sendable {
    let source: Database
    let target: Database
    /// The directory of PostgreSQL's programs; nil looks where the packages have them.
    let programs: String?
    /// The secret that the source must have; nil accepts any.
    var secret: Secret?
    let logger: Logger
    let isQuiet: Bool

    private func say(_ text: String) { if !isQuiet { Output.hint(text) } }

    /// Copies, audits the copy, and compares every table. The source is read last, so that nobody has written to it
    /// until then.
    /// - Returns: What is in the copy.
    func run() async throws -> [TableContents] {
        try await requireAlone()
        say("copying")
        try await copyRows()
        let copied = try await contents(of: target)
        say("auditing")
        let isMigrated = try await finish()
        say("comparing")
        try await compare(copied)
        return isMigrated ? try await contents(of: target) : copied
    }

    private func contents(of database: Database) async throws -> [TableContents] {
        try await BackupSource(database.owner, logger: logger).contents()
    }

    /// Copies the rows by `pg_dump` and `pg_restore` of the target's version, in one transaction.
    private func copyRows() async throws {
        let version = try await BackupSource(source.owner, logger: logger).present().version
        let programs = try await target.programs(
            toTake: "The database", of: Int(version) / 10_000, in: self.programs, logger: logger)
        let progress = ProgressLine("MiB copied", of: nil, isQuiet: isQuiet)
        defer { progress.end() }
        try await BackupSource(source.owner, logger: logger).reading { snapshot in
            if let secret, let known = snapshot.fingerprint, secret.fingerprint != known {
                throw CommandError.otherSecret
            }
            try await programs.copy(try source.login(), snapshot: snapshot.name, to: try target.login()) {
                progress.show($0 >> 20)
            }
        }
    }

    /// Makes the copy ready for servers, and audits it.
    /// - Returns: Whether migrations changed what is in it.
    /// - Throws: ``CommandError`` when the books do not balance.
    private func finish() async throws -> Bool {
        let applied = try await target.makeReady(logger: logger)
        if applied > 0 { say("migrations applied: \(applied)") }
        let findings = try await Auditor(target.store(session: SessionPresets.auditing, logger: logger)).findings()
        let differing = findings.filter { $0.differing > 0 }.map { "\($0.subject) (\($0.differing))" }
        guard differing.isEmpty else {
            throw CommandError(
                """
                The books of the copy do not balance: \(differing.joined(separator: ", ")). The rows are those of the \
                database, so run `causeboard audit` there, and `audit --repair`. The database is unchanged.
                """)
        }
        say("audited: the books balance")
        return applied > 0
    }

    private func compare(_ copied: [TableContents]) async throws {
        let known = try await contents(of: source)
        try await requireAlone()
        let differences = TableContents.differences(from: known, to: copied)
        guard differences.isEmpty else {
            throw CommandError(
                """
                The copy differs from the database: \(differences.prefix(5).joined(separator: "; ")). Somebody wrote \
                to the database meanwhile, or the copy failed. The database is unchanged and stays in use. Stop every \
                server and copy it again, into an empty database.
                """)
        }
        let rows = copied.reduce(Int64(0)) { $0.addingReportingOverflow($1.rows).partialValue }
        say("compared \(copied.count) tables with \(rows) rows: they are the same")
    }

    /// Refuses if anybody else is connected to the source. A session of ours that was closed a moment ago, or of a copy
    /// that was killed, may still have its backend; this waits for its end.
    private func requireAlone() async throws {
        let giveUpAt = ContinuousClock.now + .seconds(10)
        while true {
            let sessions = try await BackupSource(source.owner, logger: logger).sessions()
            if sessions.isEmpty { return }
            let areOurs = sessions.allSatisfy {
                $0.application == SessionPresets.copying["application_name"] || $0.application == "pg_dump"
            }
            guard areOurs, .now < giveUpAt else {
                let names = sessions.prefix(3).map(\.description).joined(separator: ", ")
                let more = sessions.count > 3 ? " and \(sessions.count - 3) more" : ""
                throw CommandError(
                    """
                    Somebody uses the database: \(names)\(more). What they write would be missing in the copy. Stop \
                    every server first; nothing was changed.
                    """)
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }
}

extension Database {
    /// PostgreSQL's programs that fill this database, which has to be empty.
    /// - Parameters:
    ///   - name: What messages call the source.
    ///   - major: The source's version of PostgreSQL.
    ///   - directory: Where the programs are; nil looks where the packages have them.
    func programs(toTake name: String, of major: Int, in directory: String?, logger: Logger) async throws
        -> CopyPrograms
    {
        let present = try await BackupSource(owner, fence: fence, logger: logger).present()
        guard present.count == 0 else {
            throw CommandError(
                """
                The database to fill is not empty: it has \(Output.list(present.names, of: Int(present.count))). Nothing \
                was changed. Make a new one with `createdb`.
                """)
        }
        let own = Int(present.version) / 10_000
        guard major <= own else {
            throw CommandError(
                """
                \(name) is of PostgreSQL \(major), and the one to fill is PostgreSQL \(own), which may not read it. \
                Take PostgreSQL \(major) or newer.
                """)
        }
        return try await CopyPrograms.find(major: own, in: directory)
    }

    /// Brings a copy's schema up to date, gives it roles, rights and the publication, and analyzes its tables.
    /// - Returns: How many migrations were applied.
    func makeReady(logger: Logger) async throws -> Int {
        let migrator = Migrator(owning, logger: logger)
        let applied = try await migrator.migrate(now: .now)
        try await migrator.refreshStatistics()
        return applied
    }
}
