import Backup
import Credentials
import Domain
import EmbeddedPostgres
import FoundationEssentials
import Logging
import Storage

/// Moves a database between the embedded PostgreSQL and a server elsewhere.
struct Move: Sendable {
    let settings: Settings
    let directory: String
    let logger: Logger
    let isQuiet: Bool

    private func say(_ text: String) { if !isQuiet { Output.hint(text) } }

    func move(to url: String, secretCopy: String?) async throws {
        try Restoration.requireFinished(settings)
        try settings.requireDatabase()
        let (text, secret) = try self.secret()
        if let secretCopy, FileManager.default.fileExists(atPath: secretCopy) {
            throw CommandError("\(secretCopy) is there already. Name a new file for the copy of the secret.")
        }
        let copyOfSecret = try secretCopy.map { try NewFile($0, mayReplace: false) }
        try copyOfSecret?.descriptor.write(Array("\(text)\n".utf8), to: copyOfSecret?.path ?? "")
        let target = await Database.elsewhere(url, logger: logger)
        // Nobody opens the database before it is marked: what a server acknowledged meanwhile would stay behind.
        let cluster = try await ExclusiveCluster(ClusterSettings(settings, directory, logger: logger))
        let source = try await Database.open(cluster.settings(.present, binaries: settings.pgBin))
        try await source.closing(logger: logger) {
            _ = try await copy(source, to: target, secret).run()
            try cluster.markMoved("to a server elsewhere, at \(Instant.now.text)")
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
        guard settings.secretFile != nil || settings.secretHex != nil else { throw Self.noSecret }
        let (text, secret) = try self.secret()
        let target = settings.scratch(at: directory)
        let restoration = Restoration(settings: target, logger: logger, isQuiet: isQuiet)
        let directory = try restoration.requireEmptyDirectory()
        let source = await Database.elsewhere(url, logger: logger)
        try await restoration.making(in: directory) {
            let database = try await Database.open(target, as: .visitor, logger: logger)
            try await database.closing(logger: logger) {
                _ = try await copy(source, to: database, secret).run()
                try RestoredSecret(Array(text.utf8), of: "the settings", for: target).keep()
            }
        }
        say(
            """
            The database is in \(directory), with its secret. Serve it with --data. The one that it came from is not \
            changed: keep servers away from it.
            """)
    }

    private func copy(_ source: Database, to target: Database, _ secret: Secret) -> DatabaseCopy {
        DatabaseCopy(
            source: source, target: target, programs: settings.pgBin, secret: secret, logger: logger, isQuiet: isQuiet)
    }

    private func secret() throws -> (text: String, secret: Secret) {
        guard let text = try SecretSource.findText(settings) else { throw Self.noSecret }
        guard let secret = Secret(hex: text) else { throw CommandError.otherSecret }
        return (text, secret)
    }

    private static let noSecret = CommandError(
        """
        The secret belongs to the database, and none was given: without it no device would be known. Give it as the \
        server has it, in CAUSEBOARD_SECRET or --secret-file.
        """)
}
