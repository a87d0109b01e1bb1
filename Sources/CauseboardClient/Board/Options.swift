public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// What a game may choose; it need not choose anything.
public struct Options: Sendable {
    /// Where this library keeps its files. By default that is the system's directory for data of applications; there is
    /// a directory in it for each server and game.
    public var directory: URL?
    /// How long the device's own boards are and which points are better on them; ten and the highest unless told.
    public var localBoards: [String: LocalBoard.Settings] = [:]
    /// The settings of the requests, such as whether they may go over mobile data.
    public var sessionConfiguration: URLSessionConfiguration = .ephemeral

    var clock: MonotonicClock = .system
    var backoff = Backoff()
    /// How long an answer that is read whole may take.
    var answerTime = Limits.answerTimeMax
    /// Where secrets are kept; nil is the Keychain where there is one, and else a file beside the others.
    var secrets: (any SecretStore)?

    public init() {}
}

/// Where a game of a server keeps its files and its secrets.
struct Storage: Sendable {
    let directory: URL
    let secrets: any SecretStore
    var saves: URL { directory.appendingPathComponent("saves") }

    init(_ server: URL, game: String, _ options: Options) throws(CauseboardError) {
        let port = server.port.map { "-\($0)" } ?? ""
        let name = "\(server.scheme ?? "")-\(server.host ?? "")\(port)-\(game)\(Self.suffix(server))".map {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") ? $0 : "_"
        }
        let parent: URL = if let chosen = options.directory { chosen } else { try Self.applicationData() }
        directory = parent.appendingPathComponent(String(name))
        try DurableFiles.makeDirectory(directory)
        if let secrets = options.secrets {
            self.secrets = secrets
        } else {
            #if canImport(Security)
                secrets = KeychainSecrets(service: "causeboard." + String(name))
            #else
                secrets = SecretFiles(directory: directory.appendingPathComponent("secrets"))
            #endif
        }
    }

    /// Tells servers apart that one host has under different paths; empty for a server that has the host to itself.
    private static func suffix(_ server: URL) -> String {
        let parts = URLComponents(url: server, resolvingAgainstBaseURL: true)
        let path = (parts?.percentEncodedPath ?? "").trimmingSuffix("/")
        return path.isEmpty ? "" : "-" + Hex.text(SHA256.hash(data: Data(path.utf8)).prefix(8))
    }

    private static func applicationData() throws(CauseboardError) -> URL {
        let found = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        guard let directory = found.first else { throw .storage("there is no directory for application data") }
        return directory.appendingPathComponent("Causeboard")
    }
}
