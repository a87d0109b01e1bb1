package import HTTPServer
package import Leaderboard
package import Storage
package import Telemetry

/// What the server tells those who operate it: how it is, and what was asked of it. It is one object, because the
/// responder is copied for each request.
package final class Operations: Sendable {
    /// The standings, the write batches and the stream. Called for each `GET /metrics` and each `/readyz` with causes.
    let health: @Sendable () -> Health
    let readiness: Readiness
    /// The database's connections, by the name of their pool.
    let pools: @Sendable () -> [(name: String, use: ConnectionUse)]
    /// How reads went that a standby may answer; nil without one.
    let replica: @Sendable () -> Replica.Counts?
    /// The connections of clients; nil where they are not counted.
    let clientConnections: @Sendable () -> ClientConnectionUse?
    let requestIDs: RequestIDs
    let adminGuard: AdminGuard
    /// Nil while no access log is asked for.
    let accessLog: AccessLog?
    /// Nil while nothing is archived.
    let archive: @Sendable () -> ArchiveHealth?
    /// What this process has swept; nil while it sweeps nothing.
    let swept: SweepCounts?
    /// Nil while the server speaks no TLS.
    let certificate: ServerCertificate?
    let requests = RequestCounters()
    /// What the modules measure.
    package let metrics: MetricsRegistry
    let meters: RequestMeters
    /// Nil while nothing is traced.
    let tracer: SpanTracer?
    /// The last look at PostgreSQL's own statistics.
    let vitals: VitalsWatch?
    /// Nil if nothing checks the database's disk.
    let reserve: DiskReserve?
    /// Lines of traces that a slow or full disk did not take; nil without them.
    let droppedTraceLines: (@Sendable () -> Int)?

    package init(
        health: @escaping @Sendable () -> Health, readiness: Readiness,
        pools: @escaping @Sendable () -> [(name: String, use: ConnectionUse)] = { [] },
        replica: @escaping @Sendable () -> Replica.Counts? = { nil },
        clientConnections: @escaping @Sendable () -> ClientConnectionUse? = { nil }, requestIDs: RequestIDs = .random(),
        adminGuard: AdminGuard, archive: @escaping @Sendable () -> ArchiveHealth? = { nil }, swept: SweepCounts? = nil,
        accessLog: AccessLog? = nil, certificate: ServerCertificate? = nil,
        metrics: MetricsRegistry = MetricsRegistry(), tracer: SpanTracer? = nil, vitals: VitalsWatch? = nil,
        reserve: DiskReserve? = nil, droppedTraceLines: (@Sendable () -> Int)? = nil
    ) {
        self.health = health
        self.readiness = readiness
        self.pools = pools
        self.replica = replica
        self.clientConnections = clientConnections
        self.requestIDs = requestIDs
        self.adminGuard = adminGuard
        self.archive = archive
        self.swept = swept
        self.accessLog = accessLog
        self.certificate = certificate
        self.metrics = metrics
        meters = RequestMeters(metrics)
        self.tracer = tracer
        self.vitals = vitals
        self.reserve = reserve
        self.droppedTraceLines = droppedTraceLines
    }
}

/// How many connections of a pool are open, how many of these are lent, and how many tasks wait for one.
package struct ConnectionUse: Sendable {
    package let open: Int
    package let lent: Int
    package let waiting: Int

    package init(open: Int, lent: Int, waiting: Int) {
        self.open = open
        self.lent = lent
        self.waiting = waiting
    }
}
