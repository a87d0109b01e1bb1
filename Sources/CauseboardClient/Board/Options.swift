public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
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
    /// Where secrets are kept; nil is the Keychain where there is one, and else a file beside the others.
    var secrets: (any SecretStore)?

    public init() {}
}

/// Where a game of a server keeps its files and its secrets.
struct Storage: Sendable {
    let directory: URL
    let secrets: any SecretStore

    init(_ server: URL, game: String, _ options: Options) throws(CauseboardError) {
        let port = server.port.map { "-\($0)" } ?? ""
        let name = "\(server.scheme ?? "")-\(server.host ?? "")\(port)-\(game)".map {
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

    private static func applicationData() throws(CauseboardError) -> URL {
        let found = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        guard let directory = found.first else { throw .storage("there is no directory for application data") }
        return directory.appendingPathComponent("Causeboard")
    }
}
