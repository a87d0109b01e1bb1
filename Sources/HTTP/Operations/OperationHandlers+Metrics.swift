import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import SignIn
import Storage
import Telemetry

extension OperationHandlers {
    /// `GET /metrics` has the figures of this process in Prometheus' text format.
    func metrics(_ request: Request) -> Response {
        var metrics = MetricsText()
        let source = FigureSource(
            operations, feeds: feeds.cache.size, live: live.use, limiter: rates.limiter, issuers: issuers.uses)
        for figure in FigureSource.figures { figure.write(source, to: &metrics) }
        if let archive = operations.archive() { archive.write(to: &metrics) }
        operations.metrics.write(to: &metrics)
        if let vitals = operations.vitals { vitals.report().write(to: &metrics) }
        return plain(metrics.text)
    }
}

/// What the figures of a process are read from.
private struct FigureSource: Sendable {
    let operations: Operations
    let health: Health
    let feeds: (count: Int, bytes: Int)
    let pools: [(name: String, use: ConnectionUse)]
    let replica: Replica.Counts?
    let connections: ClientConnectionUse?
    let live: LiveUse
    let limiter: RateLimiter
    let issuers: [IssuerUse]
    let swept: (swept: [Swept: Int], passes: Int)?

    init(
        _ operations: Operations, feeds: (count: Int, bytes: Int), live: LiveUse, limiter: RateLimiter,
        issuers: [IssuerUse]
    ) {
        self.operations = operations
        self.feeds = feeds
        self.live = live
        self.limiter = limiter
        self.issuers = issuers
        health = operations.health()
        pools = operations.pools()
        replica = operations.replica()
        connections = operations.clientConnections()
        swept = operations.swept.map { ($0.swept, $0.passes) }
    }

    /// All figures, in the order of the text.
    static let figures: [Figure<FigureSource>] = [
        Figure("standings_loaded", "1 while ranks come from memory, 0 while they come from SQL.") {
            $0.health.areStandingsCurrent ? 1 : 0
        }, Figure("standings_rows", "Rows of boards and windows in memory.") { $0.health.rowsCount },
        Figure("pending_writes", "Scores and donations that wait for their commit to begin.") {
            $0.health.pendingWritesCount
        },
        Figure("commit_under_way_seconds", "Age of the oldest commit that has no answer yet.") {
            seconds($0.health.oldestCommitAge)
        }, Figure("commits_failing", "1 while the latest commit failed.") { $0.health.areCommitsFailing ? 1 : 0 },
        Figure("standings_windows", "Boards and windows in memory.") { $0.health.windowsCount },
        Figure("cache_entries", "Entries of the caches; some count twice.", by: "cache") {
            [("feeds", $0.feeds.count), ("names", $0.health.names.count)]
        },
        Figure("cache_bytes", "Approximate size of the caches.", by: "cache") {
            [("feeds", $0.feeds.bytes), ("names", $0.health.names.bytes)]
        }, Figure("ties_cache_bytes", "Approximate size of the cache of players' friends.") { $0.health.tieBytes },
        Figure("team_windows", "Rankings of teams in memory.") { $0.health.teamWindowsCount },
        Figure("award_candidates", "Awards and players about which it is to be decided.") {
            $0.health.awardCandidatesCount
        }, Figure("stream_lag_bytes", "WAL that was not yet read at the last commit.") { $0.health.lag?.bytes },
        Figure("stream_lag_milliseconds", "Time from the last commit until it was in the standings.") {
            $0.health.lag?.milliseconds
        },
        Figure("stream_lag_seconds", "Time from the last commit until it was in the standings.") {
            $0.health.lag.map { Double($0.milliseconds) / 1_000 }
        },
        Figure(
            "stream_seconds_since_heartbeat",
            "Age of the latest heartbeat that came back; above 2, ranks come from SQL."
        ) { $0.health.timeSinceHeartbeat.map(seconds) },
        Figure("ready", "1 while /readyz says ok, 0 while it says wait.") {
            $0.operations.readiness.report().cause == nil ? 1 : 0
        },
        Figure(
            "database_connections", "Connections to the database by pool: all open ones, and those in use.",
            labelled: { source in
                source.pools.flatMap { pool in
                    [
                        (MetricsText.labels([("pool", pool.name), ("state", "open")]), pool.use.open),
                        (MetricsText.labels([("pool", pool.name), ("state", "in-use")]), pool.use.lent),
                    ]
                }
            }),
        Figure("database_waiting", "Requests that wait for a connection to the database, by pool.", by: "pool") {
            $0.pools.map { ($0.name, $0.use.waiting) }
        },
        Figure(
            "replica_reads_total",
            "Reads that a standby may answer: those it answered, and those that went to the primary.", by: "result"
        ) { $0.replica.map { [("answered", $0.answered), ("behind", $0.behind), ("failed", $0.failed)] } },
        Figure("client_connections", "Open connections of clients.") { $0.connections?.open },
        Figure(
            "client_connections_refused_total", "Connections of clients that were closed at once, by reason.",
            by: "reason"
        ) { $0.connections?.refused.map { ($0.reason, $0.count) } },
        Figure(
            "client_connections_evicted_total",
            "Idle connections of clients that were closed to make room for new ones."
        ) { $0.connections?.evicted }, Figure("live_streams", "Open event streams.") { $0.live.streams },
        Figure("live_topics", "Boards, windows and charities that event streams show.") { $0.live.topics },
        Figure("live_events_total", "States that were handed to event streams.") { $0.live.events },
        Figure("live_streams_cut_total", "Event streams that ended because their clients did not read.") {
            $0.live.cut
        }, Figure("live_streams_refused_total", "Event streams refused with 429 or 503.") { $0.live.refused },
        Figure(
            "requests_total", "Requests by what answered them and by status class.",
            labelled: { source in
                source.operations.requests.counts.map { counted in
                    let labels = [("route", counted.answerer.label), ("status", "\(counted.statusClass)xx")]
                    return (MetricsText.labels(labels), counted.count)
                }
            }),
        Figure("rate_limited_total", "Requests refused with 429, by limit.", by: "limit") {
            $0.limiter.refusals.map { ($0.limit.name, $0.count) }
        },
        Figure(
            "access_log_dropped_lines_total",
            "Lines of the access log that were not written, because its disk was slow or full."
        ) { $0.operations.accessLog?.droppedLinesCount },
        Figure("access_log_stopped", "1 while the access log drops its lines, because its disk has little free space.")
        { $0.operations.accessLog.map { $0.isStopped ? 1 : 0 } },
        Figure(
            "swept_rows_total", "Rows that this process has deleted or put aside because nobody needs them, by kind.",
            by: "what"
        ) { source in source.swept.map { counts in Swept.allCases.map { ($0.rawValue, counts.swept[$0, default: 0]) } }
        }, Figure("sweeps_total", "Completed sweeps of all kinds of rows.") { $0.swept?.passes },
        Figure(
            "trace_dropped_lines_total", "Lines of traces that were not written, because their disk was slow or full."
        ) { $0.operations.droppedTraceLines?() },
        Figure("certificate_valid_until_seconds", "Unix time at which the certificate of new connections expires.") {
            $0.operations.certificate.map { $0.validUntil.microsecondsSince1970 / 1_000_000 }
        },
        Figure("identity_keys_age_seconds", "Seconds since an issuer's keys were fetched.", by: "issuer") { source in
            source.issuers.compactMap { use in use.age.map { (use.address, seconds($0)) } }
        },
        Figure("identity_keys_failing", "1 while the latest fetch of an issuer's keys failed.", by: "issuer") {
            $0.issuers.map { ($0.address, $0.isFailing ? 1 : 0) }
        },
        Figure("disk_reserve_bytes", "Disk space reserved for scores and donations.") { $0.operations.reserve?.bytes },
        Figure("disk_reserve_reached", "1 while less than the reserve is free and other data is refused.") {
            $0.operations.reserve.map { $0.isReached ? 1 : 0 }
        },
    ]

    /// Seconds to the millisecond.
    private static func seconds(_ duration: Duration) -> Double { Double(Int64(duration / .milliseconds(1))) / 1_000 }
}
