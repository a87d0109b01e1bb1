import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage
import Telemetry

extension OperationHandlers {
    /// `GET /metrics` has the figures of this process in Prometheus' text format.
    func metrics(_ request: Request) -> Response {
        let health = operations.health()
        var metrics = MetricsText()
        metrics.gauge(
            "standings_loaded", "1 while ranks come from memory, 0 while they come from SQL.",
            health.areStandingsCurrent ? 1 : 0)
        metrics.gauge("standings_rows", "Rows of boards and windows in memory.", health.rowsCount)
        metrics.gauge(
            "pending_writes", "Scores and donations that wait for their commit to begin.", health.pendingWritesCount)
        metrics.gauge(
            "commit_under_way_seconds", "For how long the oldest commit has been that has had no answer.",
            Self.seconds(health.oldestCommitAge))
        metrics.gauge("commits_failing", "1 while the latest commit failed.", health.areCommitsFailing ? 1 : 0)
        metrics.gauge("standings_windows", "Boards and windows in memory.", health.windowsCount)
        let feeds = feeds.cache.size
        metrics.gauge(
            "cache_entries", "Entries of the caches; some count twice.",
            [(#"{cache="feeds"}"#, feeds.count), (#"{cache="names"}"#, health.names.count)])
        metrics.gauge(
            "cache_bytes", "About how many bytes the caches take.",
            [(#"{cache="feeds"}"#, feeds.bytes), (#"{cache="names"}"#, health.names.bytes)])
        if let lag = health.lag {
            metrics.gauge(
                "stream_lag_bytes", "Of the write-ahead log, that were still to come with the last commit.", lag.bytes)
            metrics.gauge(
                "stream_lag_milliseconds", "From the last commit to its being in the standings.", lag.milliseconds)
            metrics.gauge(
                "stream_lag_seconds", "From the last commit to its being in the standings.",
                Double(lag.milliseconds) / 1_000)
        }
        if let time = health.timeSinceHeartbeat {
            metrics.gauge(
                "stream_seconds_since_heartbeat",
                "Since the latest heartbeat was sent that came back; above 2 ranks come from SQL.", Self.seconds(time))
        }
        metrics.gauge(
            "ready", "1 while /readyz says ok, 0 while it says wait.",
            operations.readiness.report().cause == nil ? 1 : 0)
        let pools = operations.pools()
        metrics.gauge(
            "database_connections", "Connections to the database by pool: open ones, and of these those in use.",
            pools.flatMap { pool in
                [
                    ("{pool=\"\(pool.name)\",state=\"open\"}", pool.use.open),
                    ("{pool=\"\(pool.name)\",state=\"in-use\"}", pool.use.lent),
                ]
            })
        metrics.gauge(
            "database_waiting", "Requests that wait for a connection to the database, by pool.",
            pools.map { ("{pool=\"\($0.name)\"}", $0.use.waiting) })
        if let reads = operations.replica() {
            metrics.counter(
                "replica_reads_total",
                "Reads that a standby may answer: those it did, and those that the primary did instead.",
                [
                    ("{result=\"answered\"}", reads.answered), ("{result=\"behind\"}", reads.behind),
                    ("{result=\"failed\"}", reads.failed),
                ])
        }
        if let connections = operations.clientConnections() {
            metrics.gauge("client_connections", "Open connections of clients.", connections.open)
            metrics.counter(
                "client_connections_refused_total", "Connections of clients that were closed at once, by reason.",
                connections.refused.map { ("{reason=\"\($0.reason)\"}", $0.count) })
            metrics.counter(
                "client_connections_evicted_total",
                "Idle connections of clients that were closed to make room for new ones.", [("", connections.evicted)])
        }
        let streams = live.use
        metrics.gauge("live_streams", "Open event streams.", streams.streams)
        metrics.gauge("live_topics", "Boards, windows and charities that they show.", streams.topics)
        metrics.counter("live_events_total", "States that were handed to event streams.", [("", streams.events)])
        metrics.counter(
            "live_streams_cut_total", "Event streams that ended because their clients did not read.",
            [("", streams.cut)])
        metrics.counter(
            "live_streams_refused_total", "Event streams that found no place: 429 and 503.", [("", streams.refused)])
        metrics.counter(
            "requests_total", "Requests by what answered them and by the class of the status.",
            operations.requests.counts.map { counted in
                ("{route=\"\(counted.answerer.label)\",status=\"\(counted.statusClass)xx\"}", counted.count)
            })
        metrics.counter(
            "rate_limited_total", "Requests refused with 429, by limit.",
            rates.limiter.refusals.map { ("{limit=\"\($0.limit.name)\"}", $0.count) })
        if let accessLog = operations.accessLog {
            metrics.counter(
                "access_log_dropped_lines_total",
                "Lines of the access log that were not written, because its disk was slow or full.",
                [("", accessLog.droppedLinesCount)])
            metrics.gauge(
                "access_log_stopped", "1 while the access log drops its lines, because its disk has little free space.",
                accessLog.isStopped ? 1 : 0)
        }
        if let counts = operations.swept {
            let swept = counts.swept
            metrics.counter(
                "swept_rows_total",
                "Rows that this process has deleted or put aside because nobody needs them, by kind.",
                Swept.allCases.map { ("{what=\"\($0.rawValue)\"}", swept[$0, default: 0]) })
            metrics.counter("sweeps_total", "How often it has looked at all of them.", [("", counts.passes)])
        }
        if let archive = operations.archive() { metrics.archive(archive) }
        if let dropped = operations.droppedTraceLines {
            metrics.counter(
                "trace_dropped_lines_total",
                "Lines of traces that were not written, because their disk was slow or full.", [("", dropped())])
        }
        if let certificate = operations.certificate {
            metrics.gauge(
                "certificate_valid_until_seconds", "Unix time at which the certificate of new connections ends.",
                certificate.validUntil.microsecondsSince1970 / 1_000_000)
        }
        if let reserve = operations.reserve {
            metrics.gauge("disk_reserve_bytes", "Disk space reserved for scores and donations.", reserve.bytes)
            metrics.gauge(
                "disk_reserve_reached", "1 while less than the reserve is free and other data is refused.",
                reserve.isReached ? 1 : 0)
        }
        operations.metrics.write(to: &metrics)
        if let vitals = operations.vitals { Self.write(vitals.report(), to: &metrics) }
        return plain(metrics.text)
    }

    /// Seconds to the millisecond.
    private static func seconds(_ duration: Duration) -> Double { Double(Int64(duration / .milliseconds(1))) / 1_000 }
}
