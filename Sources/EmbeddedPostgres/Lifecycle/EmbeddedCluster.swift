import Glibc
import Logging
import ServiceLifecycle
import Synchronization

/// The embedded PostgreSQL of one data directory: a private cluster behind a Unix socket that no other user can reach.
///
/// All processes that open it share one postmaster. The first one makes and starts it, and the last one to `close`
/// stops it. A process that was killed is no obstacle: its locks end with it, and the next process adopts the
/// postmaster that it left running.
package final class EmbeddedCluster: Service {
    /// The cluster's superuser and the owner of its database.
    package static let owner = "causeboard_owner"

    let engine: Engine
    /// The socket's directory. It stays the same for as long as this object lives, even across restarts of the
    /// postmaster.
    let socketDirectory: String
    let state = Mutex(State())
    private let users: FileLock
    private let server: FileLock?
    private let presence: FileLock?

    struct State {
        var isClosed = false
        var isHurried = false
        var restarts = 0
    }

    private init(engine: Engine, socketDirectory: String, users: FileLock, server: FileLock?, presence: FileLock?) {
        self.engine = engine
        self.socketDirectory = socketDirectory
        self.users = users
        self.server = server
        self.presence = presence
    }

    /// Opens the cluster: makes it when it does not exist, starts it when it does not run, joins it when it does. Its
    /// database `causeboard` exists afterwards. It may take minutes after a crash, while PostgreSQL recovers; cancel
    /// the task to give up.
    /// - Parameter role: a `.server` holds the data directory alone; a `.visitor` shares it with a server and with
    ///   other visitors.
    /// - Throws: An error whose description tells the operator what to do. Nothing that was not running before is left
    ///   running.
    package static func open(_ settings: ClusterSettings, as role: Role) async throws(ClusterError) -> EmbeddedCluster {
        try Configuration.verify(settings.extra)
        let user = try ClusterUser.resolve(unprivileged: settings.operatingSystemUser)
        let paths = try await DataDirectory.prepare(settings.dataDirectory, for: user)
        let presence = settings.isExclusive ? nil : try lockPresence(paths)
        let server = role == .server ? try lockServer(paths) : nil

        let start = try await lockStart(paths)
        defer { start.release() }
        let users = try FileLock(path: paths.usersLock)
        guard try await users.acquire(.shared, within: Limits.closeLock) else { throw .busy(directory: paths.data) }

        let major = try Binaries.majorOfCluster(in: paths)
        let binaries = try await Binaries.choose(major: major, paths: paths, settings: settings, user: user)
        var settings = settings
        settings.archive = try ArchiveSettings.kept(settings.archive, as: role, paths)
        let engine = Engine(settings: settings, paths: paths, user: user, binaries: binaries)
        if major == nil { try await engine.make() }
        let socketDirectory = try await engine.ensureRunning(as: role)
        do throws(ClusterError) {
            try await engine.ensureDatabase("causeboard", socketDirectory: socketDirectory)
        } catch {
            if users.attempt(.exclusive) { await engine.stop() }
            throw error
        }
        return EmbeddedCluster(
            engine: engine, socketDirectory: socketDirectory, users: users, server: server, presence: presence)
    }

    /// Keeps everybody from moving the cluster to another version or place while it is open.
    private static func lockPresence(_ paths: Paths) throws(ClusterError) -> FileLock {
        let lock = try FileLock(path: paths.upgradeLock)
        guard lock.attempt(.shared) else { throw .beingUpgraded(directory: paths.data) }
        try ClusterSwap(paths).requireNone()
        // Whoever looked for the mark before may have had to wait until it was there.
        try ExclusiveCluster.requireHere(paths.data)
        return lock
    }

    private static func lockServer(_ paths: Paths) throws(ClusterError) -> FileLock {
        let lock = try FileLock(path: paths.serverLock)
        guard lock.attempt(.exclusive) else { throw .heldByServer(directory: paths.data, pid: lock.signature) }
        lock.sign()
        return lock
    }

    /// Keeps others from making, starting or stopping the cluster.
    static func lockStart(_ paths: Paths) async throws(ClusterError) -> FileLock {
        let lock = try FileLock(path: paths.startLock)
        let isOurs = try await wait(upTo: Limits.startLock) { () throws(ClusterError) in
            if Task.isCancelled { throw .cancelled }
            return lock.attempt(.exclusive)
        }
        guard isOurs else { throw .busy(directory: paths.data) }
        return lock
    }

    /// The absolute path of the data directory, without symbolic links.
    package var dataDirectory: String { engine.paths.data }
    /// The directories that PostgreSQL writes to. Each may be on its own disk.
    package var writtenDirectories: [String] {
        [engine.paths.data, engine.paths.cluster, "\(engine.paths.cluster)/pg_wal"]
    }

    /// How often `run` has started the postmaster again, for metrics.
    package var restarts: Int { state.withLock(\.restarts) }

    /// Where to connect, in libpq's `key=value` form. It stays valid across restarts of the postmaster.
    package func conninfo(login: String, database: String = "causeboard") -> String {
        Self.conninfo(socketDirectory: socketDirectory, login: login, database: database)
    }

    static func conninfo(socketDirectory: String, login: String, database: String) -> String {
        // hostaddr is empty because PGHOSTADDR in the environment would direct libpq elsewhere.
        Conninfo.text([
            "host": socketDirectory, "hostaddr": "", "port": String(SocketDirectory.port), "user": login,
            "dbname": database,
        ])
    }

    /// Makes `close`, also one that is under way, stop PostgreSQL without its last checkpoint. Nothing that was
    /// committed is lost, and the next start recovers.
    package func hurry() { state.withLock { $0.isHurried = true } }

    /// Leaves the cluster. The last process to leave stops it, after waiting up to 10 seconds for a process that is
    /// starting or stopping it. PostgreSQL may take a minute for its last checkpoint, and a PostgreSQL that does not
    /// work is ended within half a minute. Close every connection first. It works in a cancelled task; a second call
    /// does nothing. Without this call, the cluster goes on running.
    package func close() async {
        let first = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard first else { return }
        // A process that joins or leaves holds the start lock, so that two cannot both be the last one and none joins a
        // cluster that is stopping.
        if let start = try? FileLock(path: engine.paths.startLock),
            (try? await start.acquire(.exclusive, within: Limits.closeLock)) == true
        {
            if users.attempt(.exclusive) {
                await engine.stop(isHurried: { state.withLock(\.isHurried) })
                if engine.find() == nil { rmdir(socketDirectory) }
            }
            users.release()
            start.release()
        } else {
            engine.logger.warning("somebody else is starting the embedded database; it is left to them")
            users.release()
        }
        server?.release()
        presence?.release()
    }
}

/// Why a process opens the embedded database.
package enum Role: String, Sendable {
    /// `causeboard serve`: one at a time for each data directory.
    case server
    /// An admin command that needs the database for a moment, beside a server or alone.
    case visitor
}

/// Writes connection strings in libpq's `key=value` form.
enum Conninfo {
    /// - Parameter pairs: the settings, in the order in which they shall appear.
    static func text(_ pairs: KeyValuePairs<String, String>) -> String {
        pairs.map { "\($0.key)=\(quoted($0.value))" }.joined(separator: " ")
    }

    /// Quotes a value. A quote and a backslash are escaped by a backslash.
    static func quoted(_ value: String) -> String {
        var text = "'"
        for scalar in value.unicodeScalars {
            if scalar == "'" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text + "'"
    }
}
