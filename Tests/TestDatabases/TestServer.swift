import EmbeddedPostgres
import Foundation
package import Logging
import Synchronization

/// A private PostgreSQL of this test process, of any version that the embedded database accepts. ``Janitor`` ends it
/// and removes its files when the process has ended.
package final class TestServer: Sendable {
    /// The directory of its Unix socket.
    package let socketDirectory: String

    private let settings: ClusterSettings
    /// Holds the locks of the data directory while it lives.
    private let cluster: Mutex<EmbeddedCluster>

    /// Makes a server and starts it.
    /// - Parameter connectionsMax: The number of sessions that the server admits.
    package init(connectionsMax: Int) async throws {
        let directory = try TestServer.makeDirectory()
        try Janitor.watch(directory)
        settings = ClusterSettings(
            dataDirectory: "\(directory)/data", logger: .none, durable: false,
            binariesDirectory: TestServer.binariesDirectory,
            extra: ["shared_buffers": "64MB", "max_connections": "\(connectionsMax)", "autovacuum": "off"])
        let opened = try await EmbeddedCluster.open(settings, as: .visitor)
        guard let found = Postmaster(settings) else { throw TestDatabaseError("no postmaster.pid in \(directory)") }
        socketDirectory = found.socketDirectory
        cluster = Mutex(opened)
    }

    /// The directory of PostgreSQL's programs that the environment names, so that the tests can be run with another
    /// version; nil takes the newest one that is installed, as the server does.
    package static var binariesDirectory: String? {
        ProcessInfo.processInfo.environment["CAUSEBOARD_PG_BIN"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Makes a directory that every user can enter, because under root the server runs as another user. It is in the
    /// one that `TESTS_DIRECTORY` of the environment names, or in `/tmp`.
    package static func makeDirectory() throws -> String {
        let parent = ProcessInfo.processInfo.environment["TESTS_DIRECTORY"] ?? "/tmp"
        var pattern = Array("\(parent)/causeboard-tests-XXXXXX".utf8CString)
        guard let made = mkdtemp(&pattern) else { throw TestDatabaseError("no directory in \(parent)") }
        let directory = String(cString: made)
        guard chmod(directory, 0o755) == 0 else { throw TestDatabaseError("chmod of \(directory)") }
        return directory
    }

    /// The connection string, which stays the same when the server starts again.
    package func conninfo(login: String = EmbeddedCluster.owner, database: String = "postgres") -> String {
        cluster.withLock { $0.conninfo(login: login, database: database) }
    }

    /// Stops the server at once, as a crash would, and returns when it is gone.
    package func stop() async {
        guard let running = Postmaster(settings) else { return }
        kill(running.pid, SIGQUIT)
        while running.isAlive { await Task.yield() }
    }

    /// Starts a server that was stopped.
    package func start() async throws {
        let opened = try await EmbeddedCluster.open(settings, as: .visitor)
        cluster.withLock { $0 = opened }
    }

    /// The main process, as `postmaster.pid` names it.
    private struct Postmaster {
        let pid: pid_t
        let socketDirectory: String

        init?(_ settings: ClusterSettings) {
            let path = "\(settings.dataDirectory)/postgres/postmaster.pid"
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard lines.count > 4, let pid = pid_t(lines[0]) else { return nil }
            self.pid = pid
            socketDirectory = String(lines[4])
        }

        /// A zombie has no command line any more.
        var isAlive: Bool { FileManager.default.contents(atPath: "/proc/\(pid)/cmdline")?.isEmpty == false }
    }
}

extension Logger {
    /// A logger that discards everything.
    package static var none: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
