import ArgumentParser
import Backup
import Credentials
import Domain
import EmbeddedPostgres
import Foundation
import Logging
import Postgres
import Storage

/// Fills an empty database from a copy, and verifies it: roles, rights, schema, sums, erasures, audit.
struct Restoration: Sendable {
    let settings: Settings
    let logger: Logger
    let isQuiet: Bool
    /// Players to erase again, beside those of the copy.
    var erasures: [Player.ID] = []
    /// False for a scratch database, which need not outlast a power cut.
    var isDurable = true

    private func say(_ text: String) { if !isQuiet { Output.hint(text) } }

    // MARK: A database that was not restored to the end

    private static func mark(in dataDirectory: String) -> String { "\(dataDirectory)/restore.unfinished" }

    /// - Throws: ``CommandError`` for a data directory in which a restore was killed, or whose database was moved away.
    static func requireFinished(_ settings: Settings) throws {
        guard case .embedded(let directory) = settings.location else { return }
        guard !FileManager.default.fileExists(atPath: mark(in: directory)) else {
            throw CommandError(
                """
                A restore into \(directory) did not come to its end, so what is there is not the whole database. \
                Remove that directory, and restore again.
                """)
        }
        try ExclusiveCluster.requireHere(directory)
    }

    /// - Throws: ``CommandError`` that names what is there, when the target is not empty.
    func requireEmptyDirectory() throws -> String {
        guard case .embedded(let directory) = settings.location else { return "" }
        var names: [String] = []
        if FileManager.default.fileExists(atPath: directory) {
            do { names = try FileManager.default.contentsOfDirectory(atPath: directory) } catch {
                throw CommandError("The directory \(directory) cannot be read, so nobody knows whether it is empty.")
            }
        }
        names = names.filter { $0 != "lost+found" }.sorted()
        guard names.isEmpty else {
            throw CommandError(
                """
                \(directory) is not empty: it has \(Output.list(names, of: names.count)). Nothing was changed. Restore \
                into a new directory with --data, and serve from there.
                """)
        }
        return directory
    }

    // MARK: The steps

    /// Makes a new embedded database, or empties what was begun when that fails.
    func making<Value>(in directory: String, _ body: () async throws -> Value) async throws -> Value {
        let files = FileManager.default
        let wasThere = files.fileExists(atPath: directory)
        do {
            try files.createDirectory(
                atPath: directory, withIntermediateDirectories: true,
                attributes: wasThere ? nil : [.posixPermissions: geteuid() == 0 ? 0o711 : 0o700])
            // The mark outlasts a power cut, and so does its end: behind it somebody posts.
            let mark = Self.mark(in: directory)
            try NewFile(mark, mayReplace: true).finish()
            synchronize(directoryOf: directory)
            let value = try await body()
            try files.removeItem(atPath: mark)
            synchronize(directoryOf: mark)
            return value
        } catch {
            for name in (try? files.contentsOfDirectory(atPath: directory)) ?? [] where name != "lost+found" {
                try? files.removeItem(atPath: "\(directory)/\(name)")
            }
            if !wasThere { try? files.removeItem(atPath: directory) }
            throw error
        }
    }

    /// Restores a backup.
    /// - Parameter backup: It has been read to its end already.
    func restore(_ backup: BackupReader) async throws -> [AuditFinding] {
        let manifest = backup.manifest
        guard manifest.schema <= Migration.known else {
            throw CommandError(
                """
                \(backup.path) has the schema of migration \(manifest.schema), and this causeboard knows \
                \(Migration.known). Restore it with the causeboard that made it (\(manifest.program)), or a \
                newer one.
                """)
        }
        let secret = try RestoredSecret(backup.secret, of: backup.path, for: settings)
        switch settings.location {
        case .url:
            let database = try await Database.open(settings, as: .visitor, logger: logger)
            return try await fill(database, from: backup, secret)
        case .embedded:
            let directory = try requireEmptyDirectory()
            return try await making(in: directory) {
                let durable = isDurable
                let database = try await Database.open(settings, as: .visitor, logger: logger) { $0.durable = durable }
                return try await database.closing(logger: logger) { try await fill(database, from: backup, secret) }
            }
        }
    }

    /// Restores the embedded database as it was at a moment.
    /// - Parameter moment: Nil for the newest that the archive has.
    func restore(_ layout: ArchiveLayout, to moment: Instant?) async throws -> [AuditFinding] {
        guard case .embedded = settings.location else {
            throw CommandError("An archive holds an embedded database. Restore it into a directory, with --data.")
        }
        let directory = try requireEmptyDirectory()
        let base = try layout.base(for: moment)
        if moment == nil, let first = base.firstSegment { try WALArchive(layout.wal).requireAll(from: first) }
        guard let text = try? Data(contentsOf: URL(filePath: layout.secret)) else {
            throw CommandError("The archive's secret, \(layout.secret), cannot be read.")
        }
        let secret = try RestoredSecret(Array(text), of: layout.directory, for: settings)
        let later =
            FileManager.default.fileExists(atPath: layout.erasures)
            ? try ErasureList.players(inFile: layout.erasures) : []
        return try await making(in: directory) {
            say("unpacking and checking the base backup of \(base.moment.rfc3339(.seconds))")
            try await EmbeddedCluster.unpack(base.directory, ClusterSettings(settings, directory, logger: logger))
            say("reading the write-ahead log")
            let database = try await Database.open(settings, as: .visitor, logger: logger) {
                $0.extra.merge(Self.recovery(from: layout, to: moment)) { $1 }
                $0.awaitsPromotion = true
            }
            return try await database.closing(logger: logger) { try await finish(database, secret, erasing: later) }
        }
    }

    /// What PostgreSQL is told of a recovery. Nobody reads before it is over, so that a database which is not there yet
    /// is never taken for one.
    private static func recovery(from layout: ArchiveLayout, to moment: Instant?) -> [String: String] {
        var settings = [
            "hot_standby": "off", "recovery_target_timeline": "latest",
            "restore_command": ArchiveSettings.restoreCommand(program: OwnProgram.path, directory: layout.wal),
        ]
        if let moment {
            // PostgreSQL takes no names of zones here, not even `Z`.
            settings["recovery_target_time"] = "\(moment.text.dropLast())+00"
            settings["recovery_target_inclusive"] = "off"
            settings["recovery_target_action"] = "promote"
        }
        return settings
    }

    /// Fills an empty database, and compares it with what the backup says was in it.
    private func fill(_ database: Database, from backup: BackupReader, _ secret: RestoredSecret) async throws
        -> [AuditFinding]
    {
        let programs = try await database.programs(
            toTake: backup.path, of: backup.manifest.postgresqlMajor, in: settings.pgBin, logger: logger)
        say("restoring the database as of \(backup.manifest.moment)")
        let progress = ProgressLine("MiB", of: backup.bytes >> 20, isQuiet: isQuiet)
        try await programs.restore(try database.login()) { pipe in
            try backup.writeDatabase(to: Descriptor(lending: pipe)) { progress.show($0 >> 20) }
        }
        progress.end()
        let source = BackupSource(database.owner, fence: database.fence, logger: logger)
        let found = try await source.sums().map {
            BackupManifest.Sum(subject: $0.subject, rows: $0.rows, points: $0.points)
        }
        let differences = backup.manifest.differences(from: found)
        guard differences.isEmpty else {
            throw CommandError(
                "What was restored from \(backup.path) is not what its manifest says: \(differences.joined(separator: "; "))."
            )
        }
        let players = try ErasureList.players(
            in: TextLines.split(backup.erasures).map { String(decoding: $0, as: UTF8.self) }, of: "the backup's list")
        return try await finish(database, secret, erasing: players)
    }

    /// Brings schema, roles, rights and the publication up to date, keeps the secret, erases again, and audits.
    private func finish(_ database: Database, _ secret: RestoredSecret, erasing players: [Player.ID]) async throws
        -> [AuditFinding]
    {
        let applied = try await database.makeReady(logger: logger)
        if applied > 0 { say("migrations applied: \(applied)") }
        let store = database.store(session: SessionPresets.auditing, logger: logger)
        guard try await store.knows(secret.secret) != false else {
            throw CommandError("The secret of the copy is not the one of its database. Take another copy.")
        }
        try secret.keep()
        let ids = Array(Set(players + erasures)).sorted { $0.rawValue < $1.rawValue }
        if !ids.isEmpty {
            let ledger = database.store(session: SessionPresets.ledger, logger: logger)
            say("erasures: \(try await ErasureList.apply(ids, to: ledger))")
        }
        say("auditing")
        return try await Auditor(store).findings()
    }
}
