import Glibc
import Logging
import TestDatabases
import Testing

@testable import EmbeddedPostgres

/// A data directory for one test. Every process in it is stopped afterwards, and the directory is removed.
struct Scratch {
    /// A directory in `/tmp` that every user can enter.
    let root: String
    /// The user that runs PostgreSQL.
    let user: ClusterUser
    var settings: ClusterSettings

    /// Runs a test in a new directory.
    /// - Parameter name: The name of the data directory, which may be as hostile as a file system allows.
    static func with(_ name: String = "data", _ body: (Scratch) async throws -> Void) async throws {
        let root = try TestServer.makeDirectory()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let settings = ClusterSettings(
            dataDirectory: "\(root)/\(name)", logger: logger, durable: false,
            binariesDirectory: TestServer.binariesDirectory, extra: ["shared_buffers": "16MB"],
            startStallMax: .seconds(60))
        let user = try ClusterUser.resolve(unprivileged: settings.operatingSystemUser)
        let scratch = Scratch(root: root, user: user, settings: settings)
        let result: Result<Void, any Error>
        do { result = .success(try await body(scratch)) } catch { result = .failure(error) }
        await scratch.remove()
        try result.get()
    }

    var paths: Paths { Paths(data: settings.dataDirectory) }

    func open(_ role: Role = .server) async throws -> EmbeddedCluster {
        try await EmbeddedCluster.open(settings, as: role)
    }

    /// The pid of the live postmaster, or nil.
    var postmaster: Int32? { Postmaster.find(paths, user: user)?.pid }

    /// The output of `psql` for one statement, with values separated by `|`.
    func ask(_ statement: String, _ cluster: EmbeddedCluster, login: String = EmbeddedCluster.owner) async throws
        -> String
    {
        let outcome = try await psql(statement, cluster, login: login).run(within: Limits.shortCommand)
        #expect(outcome.succeeded, "\(outcome.output)")
        return outcome.output.split(separator: "\n").joined(separator: "\n")
    }

    func psql(_ statement: String, _ cluster: EmbeddedCluster, login: String = EmbeddedCluster.owner) -> Command {
        let options = [
            "--no-psqlrc", "--quiet", "--no-align", "--tuples-only", "--dbname=\(cluster.conninfo(login: login))",
        ]
        return Command(cluster.engine.binaries.program("psql"), options + ["--command=\(statement)"], as: user)
    }

    /// Makes the data directory by hand, with a cluster directory that holds at most a version.
    func fakeCluster(version: String?) throws {
        try #require(mkdir(settings.dataDirectory, 0o711) == 0)
        try #require(mkdir(paths.cluster, 0o700) == 0)
        if let version { try SmallFile.replace(paths.version, with: version, owner: ourselves) }
    }

    var ourselves: ClusterUser { ClusterUser(name: "", id: geteuid(), group: getegid(), isAnother: false) }

    private func remove() async {
        if let pid = postmaster {
            kill(pid, SIGQUIT)
            _ = await eventually { postmaster == nil }
        }
        let socketDirectory = SocketDirectory.path(for: paths, runtimeDirectory: nil)
        unlink(SocketDirectory.socket(in: socketDirectory))
        unlink("\(SocketDirectory.socket(in: socketDirectory)).lock")
        rmdir(socketDirectory)
        _ = try? await Command("/usr/bin/rm", ["-rf", "--", root], as: ourselves).run(within: Limits.shortCommand)
    }
}

/// The sentence of the error that `body` throws, as an operator reads it; empty when it throws none.
func sentence(_ body: () async throws -> Void) async -> String {
    do {
        try await body()
        return ""
    } catch { return "\(error)" }
}

/// Waits until another process has brought about a condition.
/// - Returns: False when that took too long.
func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(40)
    while !condition() {
        if ContinuousClock.now > deadline { return false }
        await pause(.milliseconds(20))
    }
    return true
}

/// Tests that run PostgreSQL. They run one at a time, because the machine may have few cores and each starts a cluster.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ClusterTests {}
