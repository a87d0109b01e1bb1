import Logging
import ServiceLifecycle
import Synchronization

extension EmbeddedCluster {
    /// Watches the postmaster and starts it again when it dies, until graceful shutdown or the task's cancellation. It
    /// does not stop the cluster, because services that shut down after it may still write. Call `close` when they are
    /// done.
    ///
    /// It never gives up, because a disk that was full may have room again. Pauses between attempts grow from 250 ms to
    /// 10 s.
    package func run() async throws { await cancelWhenGracefulShutdown { await self.watch() } }

    private func watch() async {
        let clock = ContinuousClock()
        var pauseAfter = Limits.backOff.lowerBound
        var lastRestart: ContinuousClock.Instant?
        var lastLogCheck = clock.now
        while (try? await Task.sleep(for: Limits.watch)) != nil {
            if clock.now - lastLogCheck > Limits.logCheck {
                engine.log.bound()
                lastLogCheck = clock.now
            }
            if isHealthy { continue }
            if let last = lastRestart, clock.now - last > Limits.steady { pauseAfter = Limits.backOff.lowerBound }
            do throws(ClusterError) { try await restart() } catch .cancelled { return } catch {
                engine.logger.error("the embedded database could not be started again", metadata: ["error": "\(error)"])
            }
            lastRestart = clock.now
            try? await Task.sleep(for: pauseAfter)
            pauseAfter = min(pauseAfter * 2, Limits.backOff.upperBound)
        }
    }

    /// Whether the postmaster lives and its socket exists. Programs that clean `/tmp`, and a logout that removes
    /// `XDG_RUNTIME_DIR`, delete sockets.
    private var isHealthy: Bool {
        engine.find() != nil && FileStatus(SocketDirectory.socket(in: socketDirectory), following: false) != nil
    }

    private func restart() async throws(ClusterError) {
        let start = try await Self.lockStart(engine.paths)
        defer { start.release() }
        // Another process may have started it meanwhile, or we may have closed it.
        if state.withLock(\.isClosed) || isHealthy { return }
        engine.logger.error(
            "the embedded database has died; starting it again", metadata: ["log": "\(engine.paths.log)"])
        if engine.find() != nil { await engine.stop() }
        try await engine.start(socketDirectory: socketDirectory)
        state.withLock { $0.restarts += 1 }
    }
}
