import Domain
import EmbeddedPostgres
import HTTP
import Leaderboard
import Logging
import Postgres
import ServiceLifecycle
import Storage

/// Looks at the database each second, over a connection of its own, and now and then at its statistics.
struct ReadinessChecks: Service {
    let readiness: Readiness
    let vitals: VitalsWatch
    let reserve: DiskReserve
    private let pool: Pool

    /// - Parameters:
    ///   - conninfo: The database of the server.
    ///   - fence: What keeps it away from former primaries.
    ///   - cluster: The embedded database; nil for another one.
    ///   - room: The reserve of its disks.
    init(
        conninfo: String, fence: TimelineFence, cluster: EmbeddedCluster?, room: RoomSettings, clock: ServerClock,
        logger: Logger
    ) {
        let pool = Pool(
            ConnectionSettings(
                conninfo: conninfo, session: SessionPresets.general,
                connectTimeout: .seconds(Limits.readinessSecondsMax), silenceMax: .seconds(Limits.readinessSecondsMax),
                cancelMax: .seconds(1), fence: fence), limits: PoolLimits(connectionsMax: 1, drainMax: .seconds(1)),
            logger: logger)
        self.pool = pool
        // Readiness logs each change once; the store would log each look that fails.
        var quiet = logger
        quiet.logLevel = .critical
        let store = Store(general: pool, ledger: pool, logger: quiet)
        readiness = Readiness(logger: logger) { try await store.databaseState() }
        let directories = cluster?.writtenDirectories ?? []
        let vitals = VitalsWatch {
            try await store.databaseVitals()
        } sizes: {
            try await store.tableSizes()
        } challengesDue: {
            try await store.challengesDueCount(now: clock.now)
        } disk: {
            directories.first.flatMap { DiskUse(of: $0) }
        }
        self.vitals = vitals
        reserve = DiskReserve(room.reserve, logger: logger) {
            let disks = directories.compactMap { DiskUse(of: $0) }
            guard let bytesMax = room.databaseBytesMax, let bytes = vitals.databaseBytes else { return disks }
            return disks + [DiskUse(bytes: bytesMax, freeBytes: max(0, bytesMax - bytes))]
        }
        // Before the first request.
        reserve.look()
    }

    func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await pool.run() }
            var vitalsAt = ContinuousClock.now
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                let isVitalsDue = vitalsAt <= .now
                if isVitalsDue { vitalsAt = .now + .seconds(Limits.vitalsSeconds) }
                try? await cancelWhenGracefulShutdown {
                    await readiness.check()
                    if isVitalsDue { await vitals.check() }
                    reserve.look()
                    try await Task.sleep(for: .seconds(1))
                }
            }
            try await group.waitForAll()
        }
    }
}

/// Shuts down first of all services, so that the server is not ready while running requests finish.
struct ReadinessEnd: Service {
    let readiness: Readiness

    func run() async throws {
        try? await gracefulShutdown()
        readiness.stop()
    }
}

/// Keeps the open event streams current. Connections end their streams themselves, before this ends.
struct LiveLooks: Service {
    let hub: LiveHub

    func run() async throws { await cancelWhenGracefulShutdown { await hub.run() } }
}

/// Makes the audits that operators ask for.
struct AuditWork: Service {
    let audits: AuditRuns

    func run() async throws { await cancelWhenGracefulShutdown { await audits.run() } }
}

/// Writes what is left of the access log when the server ends.
struct AccessLogFlush: Service {
    let accessLog: AccessLog

    func run() async throws {
        try? await gracefulShutdown()
        await accessLog.flush(within: .seconds(Limits.accessLogFlushSeconds))
    }
}
