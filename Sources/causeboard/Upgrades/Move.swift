import Backup
import Credentials
import Domain
import EmbeddedPostgres
import Foundation
import Logging
import Storage

/// Moves a database between the embedded PostgreSQL and a server elsewhere.
struct Move: Sendable {
    let settings: Settings
    let directory: String
    let logger: Logger
    let isQuiet: Bool

    private func say(_ text: String) { if !isQuiet { Output.hint(text) } }

    // MARK: The mark of a database that was moved away

    /// - Throws: ``CommandError`` for a directory whose database lives elsewhere by now.
    static func requireHere(_ settings: Settings) throws {
        guard case .embedded(let directory) = settings.location, let text = Departure.marked(in: directory) else {
            return
        }
        throw CommandError(
            """
            The database in \(directory) was moved elsewhere (\(text.filter { !$0.isNewline })), and what is here is \
            as old as that. Use the other one, with --database-url. To use this one all the same, remove \
            \(Departure.markPath(in: directory)).
            """)
    }

    // MARK: The two ways

    func move(to url: String, secretCopy: String?) async throws {
        try Restoration.requireFinished(settings)
        try settings.requireDatabase()
        guard let secret = try SecretSource.findText(settings) else { throw Self.noSecret }
        if let secretCopy, FileManager.default.fileExists(atPath: secretCopy) {
            throw CommandError("\(secretCopy) is there already. Name a new file for the copy of the secret.")
        }
        let copyOfSecret = try secretCopy.map { try NewFile($0, mayReplace: false) }
        try copyOfSecret?.descriptor.write(Array("\(secret)\n".utf8), to: copyOfSecret?.path ?? "")
        let target = await Database.elsewhere(url, logger: logger)
        try await requireEmpty(target)
        // Nobody opens the database before it is marked: what a server acknowledged meanwhile would stay behind.
        guard let departure = try await Departure.begin(ClusterSettings(settings, directory, logger: logger)) else {
            throw Self.inUse("causeboard has \(directory) open")
        }
        let source = try await Database.open(settings, as: .visitor, logger: logger) { $0.isUpgrading = true }
        try await closing(source) {
            let copied = try await copy(from: source, to: target, secret)
            try await requireUnchanged(source, since: copied)
            try departure.mark("to a server elsewhere, at \(Instant.now.text)")
        }
        try copyOfSecret?.finish()
        say(
            """
            The database is moved. Serve it with --database-url and --secret-file \
            \(secretCopy ?? settings.secretFile ?? SecretSource.file(in: directory)). What is in \(directory) is not \
            changed, and no server starts on it any more.
            """)
    }

    func move(from url: String) async throws {
        guard let secret = try SecretSource.findText(settings), settings.secretFile != nil || settings.secretHex != nil
        else { throw Self.noSecret }
        let target = settings.scratch(at: directory)
        let restoration = Restoration(settings: target, logger: logger, isQuiet: isQuiet)
        let directory = try restoration.requireEmptyDirectory()
        let source = await Database.elsewhere(url, logger: logger)
        try await requireAlone(source)
        try await restoration.making(in: directory) {
            let database = try await Database.open(target, as: .visitor, logger: logger)
            try await closing(database) {
                try await copy(from: source, to: database, secret)
                try RestoredSecret(Array(secret.utf8), of: "the settings", for: target).keep()
            }
        }
        say(
            """
            The database is in \(directory), with its secret. Serve it with --data. The one that it came from is not \
            changed: keep servers away from it.
            """)
    }

    /// - Returns: What was in the source when it was copied.
    @discardableResult private func copy(from source: Database, to target: Database, _ secret: String) async throws
        -> [TableContents]
    {
        try await requireAlone(source)
        guard try await knows(secret, source) else { throw CommandError.otherSecret }
        let copy = DatabaseCopy(
            source: source, target: target, programs: settings.pgBin, logger: logger, isQuiet: isQuiet)
        say("copying")
        try await copy.copyRows()
        say("comparing")
        let contents = try await BackupSource(source.owner, logger: logger).contents()
        try await copy.compare(contents)
        try await requireAlone(source)
        say("auditing")
        try await copy.verify()
        return contents
    }

    /// Looks once more whether somebody is there, or was there while the copy was audited.
    private func requireUnchanged(_ source: Database, since copied: [TableContents]) async throws {
        try await requireAlone(source)
        let now = try await BackupSource(source.owner, logger: logger).contents()
        let differences = TableContents.differences(from: copied, to: now)
        guard differences.isEmpty else {
            throw CommandError(
                """
                Somebody has written since the database was copied: \(differences.prefix(5).joined(separator: "; ")). \
                The database stays here, and in use; move it again into an empty one, with nobody on it.
                """)
        }
        try await requireAlone(source)
    }

    private static let noSecret = CommandError(
        """
        The secret belongs to the database, and none was given: without it no device would be known. Give it as the \
        server has it, in CAUSEBOARD_SECRET or --secret-file.
        """)

    /// Whether the secret is the database's, or the database has none yet.
    private func knows(_ text: String, _ source: Database) async throws -> Bool {
        let fingerprint = try await BackupSource(source.owner, logger: logger).reading { $0.fingerprint }
        guard let fingerprint else { return true }
        return Secret(hex: text)?.fingerprint == fingerprint
    }

    private func requireEmpty(_ target: Database) async throws {
        let present = try await BackupSource(target.owner, logger: logger).present()
        guard present.count == 0 else {
            throw CommandError(
                """
                The database to move to is not empty: it has \(present.names.joined(separator: ", "))\
                \(present.count > present.names.count ? " and more" : ""). Nothing was changed. Make a new one with \
                `createdb`.
                """)
        }
    }

    /// Refuses if anybody else is connected. A session of ours that was closed a moment ago may still have its backend;
    /// this waits for its end.
    private func requireAlone(_ source: Database) async throws {
        let giveUpAt = ContinuousClock.now + .seconds(10)
        while true {
            let sessions = try await BackupSource(source.owner, logger: logger).sessions()
            if sessions.isEmpty { return }
            let areOurs = sessions.allSatisfy { $0.application == SessionPresets.copying["application_name"] }
            guard areOurs, .now < giveUpAt else {
                let names = sessions.prefix(3).map(\.description).joined(separator: ", ")
                throw Self.inUse("\(names)\(sessions.count > 3 ? " and \(sessions.count - 3) more" : "")")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private static func inUse(_ names: String) -> CommandError {
        CommandError(
            """
            Somebody uses the database: \(names). What they write would be missing at the other place. Stop every \
            server first; nothing was changed.
            """)
    }

    private func closing(_ database: Database, _ body: () async throws -> Void) async throws {
        do { try await body() } catch {
            await database.close(logger: logger)
            throw error
        }
        await database.close(logger: logger)
    }
}
