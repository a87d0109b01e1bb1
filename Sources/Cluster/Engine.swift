import Logging

/// The steps in the life of one cluster. Everything here but `find` is called under the start lock.
struct Engine: Sendable {
    let settings: ClusterSettings
    let places: Places
    let user: ClusterUser
    let binaries: Binaries

    var log: ServerLog { ServerLog(path: places.log) }
    var logger: Logger { settings.logger }

    /// The live postmaster, or nil.
    func find() -> Postmaster? { Postmaster.find(places, user: user) }

    /// Makes sure that a postmaster is ready: the one that runs, or a new one.
    /// - Returns: The directory of its socket.
    func ensureRunning() async throws(ClusterError) -> String {
        if let running = try await adopt() {
            do throws(ClusterError) {
                try SocketDirectory.verify(running.socketDirectory, for: user)
            } catch {
                throw .heldByPostgres(cluster: places.cluster, pid: running.pid, reason: "\(error)")
            }
            logger.debug("the embedded database runs already", metadata: ["pid": "\(running.pid)"])
            return running.socketDirectory
        }
        let socketDirectory = SocketDirectory.path(for: places, runtimeDirectory: settings.runtimeDirectory)
        try await start(socketDirectory: socketDirectory)
        return socketDirectory
    }

    /// The postmaster that runs already, once it is ready; nil when there is none, or when it ends meanwhile.
    private func adopt() async throws(ClusterError) -> Postmaster? {
        guard let running = find(), running.status != .stopping else { return nil }
        do throws(ClusterError) {
            return try await waitUntilReady(nil, logStart: log.bytes)
        } catch .startFailed {
            return nil
        }
    }
}
