import Credentials
import FoundationEssentials
import Storage

/// Finds the installation's secret, or makes it.
enum SecretSource {
    /// Returns the secret in `CAUSEBOARD_SECRET`, else in `CAUSEBOARD_SECRET_FILE`, else, with the embedded database,
    /// in `DATA/secret`, which is made at the first start.
    static func secret(_ settings: Settings) throws -> Secret {
        if let secret = try findSecret(settings) { return secret }
        switch settings.location {
        case .embedded(let dataDirectory): return try make(file(in: dataDirectory))
        case .url:
            throw CommandError(
                """
                With --database-url a secret is needed, the same for every server on that database. \
                Give it in CAUSEBOARD_SECRET or --secret-file; make one with: openssl rand -hex 32
                """)
        }
    }

    /// Returns the same secret, but nil instead of making one.
    static func findSecret(_ settings: Settings) throws -> Secret? {
        if let hex = settings.secretHex {
            guard let secret = Secret(hex: hex) else {
                throw CommandError("CAUSEBOARD_SECRET is not 64 hex digits. Make some with: openssl rand -hex 32")
            }
            return secret
        }
        guard let file = file(settings), settings.secretFile != nil || FileManager.default.fileExists(atPath: file)
        else { return nil }
        return try read(file)
    }

    /// What the server of these settings says in ``InstallationHeader``; nil when no secret can be
    /// read here.
    static func installation(_ settings: Settings) -> String? { (try? findSecret(settings))?.installation }

    /// The file of the secret, which may not exist yet; nil if the database is elsewhere and none is set.
    static func file(_ settings: Settings) -> String? {
        if let file = settings.secretFile { return file }
        guard case .embedded(let dataDirectory) = settings.location else { return nil }
        return file(in: dataDirectory)
    }

    /// The digits of that secret, for a backup; nil when there is none.
    static func findText(_ settings: Settings) throws -> String? {
        guard try findSecret(settings) != nil else { return nil }
        return try settings.secretHex ?? file(settings).map(text)
    }

    static func file(in dataDirectory: String) -> String { "\(dataDirectory)/secret" }

    private static func text(_ file: String) throws -> String {
        try TextFile.lines(file, orSay: "The secret file \(file) cannot be read.").joined().filter { !$0.isWhitespace }
    }

    static func read(_ file: String) throws -> Secret {
        guard let secret = Secret(hex: try text(file)) else {
            throw CommandError("The secret file \(file) does not hold 64 hex digits.")
        }
        return secret
    }

    /// Makes the secret file. Two processes that do so at the same time get the same secret, because the complete file
    /// is linked to its name and only the first link succeeds.
    private static func make(_ file: String) throws -> Secret {
        let draft = "\(file).\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: draft) }
        guard
            FileManager.default.createFile(
                atPath: draft, contents: Data("\(Secret.generated())\n".utf8), attributes: [.posixPermissions: 0o600])
        else { throw CommandError("The secret file \(file) cannot be written.") }
        // The link fails when another process was first. Its secret is then the one to use.
        try? FileManager.default.linkItem(atPath: draft, toPath: file)
        return try read(file)
    }
}
