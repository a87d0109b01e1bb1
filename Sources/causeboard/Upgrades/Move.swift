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

    private static func mark(in directory: String) -> String { "\(directory)/moved" }

    /// - Throws: ``CommandError`` for a directory whose database lives elsewhere by now.
    static func requireHere(_ settings: Settings) throws {
        guard case .embedded(let directory) = settings.location,
            let text = try? String(contentsOfFile: mark(in: directory), encoding: .utf8)
        else {
            return
        }
        throw CommandError(
            """
            The database in \(directory) was moved elsewhere (\(text.filter { !$0.isNewline })), and what is here is \
            as old as that. Use the other one, with --database-url. To use this one all the same, remove \
            \(mark(in: directory)).
            """
        )
    }

    // MARK: The two ways

    func move(to url: String, secretCopy: String?) async throws {
        try Restoration.requireFinished(settings)
        try settings.requireDatabase()
        guard let secret = try SecretSource.findText(settings) else { throw Self.noSecret }
        if let secretCopy, FileManager.default.fileExists(atPath: secretCopy) {
            throw CommandError("\(secretCopy) is there already. Name a new file for the copy of the secret.")
        }
        let target = await Database.elsewhere(url, logger: logger)
        try await requireEmpty(target)
        let source = try await Database.open(settings, as: .visitor, logger: logger)
        try await closing(source) {
            try await copy(from: source, to: target, secret)
            let mark = "to a server elsewhere, at \(Instant.now.text)\n"
            guard FileManager.default.createFile(atPath: Self.mark(in: directory), contents: Data(mark.utf8)) else {
                throw CommandError("\(Self.mark(in: directory)) cannot be written.")
            }
        }
        if let secretCopy {
            let written = FileManager.default.createFile(
                atPath: secretCopy,
                contents: Data("\(secret)\n".utf8),
                attributes: [.posixPermissions: 0o600]
            )
            guard written else {
                throw CommandError("The file \(secretCopy) cannot be written. Copy the secret there.")
            }
        }
        say(
            """
            The database is moved. Serve it with --database-url and --secret-file \
            \(secretCopy ?? settings.secretFile ?? SecretSource.file(in: directory)). What is in \(directory) is not \
            changed, and no server starts on it any more.
            """
        )
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
            """
        )
    }

    private func copy(from source: Database, to target: Database, _ secret: String) async throws {
        try await requireAlone(source)
        guard try await knows(secret, source) else { throw CommandError.otherSecret }
        let copy = DatabaseCopy(
            source: source,
            target: target,
            programs: settings.pgBin,
            logger: logger,
            isQuiet: isQuiet
        )
        say("copying")
        try await copy.copyRows()
        say("comparing")
        try await copy.compare()
        try await requireAlone(source)
        say("auditing")
        try await copy.prove()
    }

    private static let noSecret = CommandError(
        """
        The secret belongs to the database, and none was given: without it no device would be known. Give it as the \
        server has it, in CAUSEBOARD_SECRET or --secret-file.
        """
    )

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
                """
            )
        }
    }

    private func requireAlone(_ source: Database) async throws {
        let sessions = try await BackupSource(source.owner, logger: logger).sessions()
        guard sessions.isEmpty else {
            let names = sessions.prefix(3).map(\.description).joined(separator: ", ")
            throw CommandError(
                """
                Somebody uses the database: \(names)\(sessions.count > 3 ? " and \(sessions.count - 3) more" : ""). \
                What they write would be missing at the other place. Stop every server first; nothing was changed.
                """
            )
        }
    }

    private func closing(_ database: Database, _ body: () async throws -> Void) async throws {
        do { try await body() } catch {
            await database.close(logger: logger)
            throw error
        }
        await database.close(logger: logger)
    }
}
