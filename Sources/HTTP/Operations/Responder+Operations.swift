import Feeds
import HTTPTypes
import Leaderboard
import NIOCore
import Storage

// The routes for health checks and operators, and the contract.
extension Responder {
    /// `GET /` redirects a browser to the rankings.
    func home(_ request: Request) -> Response {
        Response(status: .seeOther, headers: [.location: Routes.topScores.path(.html)])
    }

    /// `GET /healthz` succeeds while the process runs.
    func healthy(_ request: Request) -> Response { plain("ok\n") }

    /// `GET /readyz` succeeds while the database can be reached and takes writes, and the server is not about to end.
    /// Strangers get a word; operators get the causes.
    func ready(_ request: Request) -> Response {
        let report = operations.readiness.report()
        let status: HTTPResponse.Status = report.cause == nil ? .ok : .serviceUnavailable
        switch request.peer.listener {
        case .open: return plain(report.cause == nil ? "ok\n" : "wait\n", status)
        case .admin: return ownReply(status, readiness(report))
        }
    }

    private func readiness(_ report: Readiness.Report) -> JSONTree {
        let health = operations.health()
        let causes = report.cause.map { [JSONTree.value(.text($0.rawValue))] } ?? []
        func number(_ value: some BinaryInteger) -> Value { .integer(Int128(value)) }
        return .object([
            .init("ready", .boolean(report.cause == nil)),
            .init("causes", .list(causes)),
            .init(
                "database",
                .object([
                    .init("seconds_since_check", report.age.map { number($0.components.seconds) } ?? .none),
                    .init("read_only", report.database.map { .boolean($0.isReadOnly) } ?? .none),
                    .init("migration", report.database.map { number($0.migration) } ?? .none),
                ])
            ),
            .init("standings", .text(health.areStandingsCurrent ? "current" : "loading")),
            .init("stream_lag_milliseconds", health.lag.map { number($0.milliseconds) } ?? .none),
            .init("pending_writes", number(health.pendingWritesCount)),
        ])
    }

    /// `GET /openapi.yaml`
    func contract(_ request: Request) -> Response {
        Entity(
            bytes: Contract.openAPI,
            contentType: "application/yaml",
            variesByAccept: false,
            isGzip: Entity.takesGzip(request.headers)
        ).response(to: request.headers)
    }

    /// `GET /metrics` has the figures of this process in Prometheus' text format.
    func metrics(_ request: Request) -> Response {
        let health = operations.health()
        var metrics = MetricsText()
        metrics.gauge(
            "standings_loaded",
            "1 while ranks come from memory, 0 while they come from SQL.",
            health.areStandingsCurrent ? 1 : 0
        )
        metrics.gauge("standings_rows", "Rows of boards and windows in memory.", health.rowsCount)
        metrics.gauge(
            "pending_writes",
            "Scores and donations that wait for their commit to begin.",
            health.pendingWritesCount
        )
        if let lag = health.lag {
            metrics.gauge(
                "stream_lag_bytes",
                "Of the write-ahead log, that were still to come with the last commit.",
                lag.bytes
            )
            metrics.gauge(
                "stream_lag_milliseconds",
                "From the last commit to its being in the standings.",
                lag.milliseconds
            )
        }
        metrics.gauge(
            "ready",
            "1 while /readyz says ok, 0 while it says wait.",
            operations.readiness.report().cause == nil ? 1 : 0
        )
        let pools = operations.pools()
        metrics.gauge(
            "database_connections",
            "Connections to the database by pool: open ones, and of these those in use.",
            pools.flatMap { pool in
                [
                    ("{pool=\"\(pool.name)\",state=\"open\"}", pool.use.open),
                    ("{pool=\"\(pool.name)\",state=\"in-use\"}", pool.use.lent),
                ]
            }
        )
        metrics.gauge(
            "database_waiting",
            "Requests that wait for a connection to the database, by pool.",
            pools.map { ("{pool=\"\($0.name)\"}", $0.use.waiting) }
        )
        metrics.counter(
            "requests_total",
            "Requests by what answered them and by the class of the status.",
            operations.requests.counts.map { counted in
                ("{route=\"\(counted.answerer.label)\",status=\"\(counted.statusClass)xx\"}", counted.count)
            }
        )
        if let accessLog = operations.accessLog {
            metrics.counter(
                "access_log_dropped_lines_total",
                "Lines of the access log that were not written, because its disk was slow or full.",
                [("", accessLog.droppedLinesCount)]
            )
        }
        return plain(metrics.text)
    }

    private func plain(_ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ByteBuffer(string: text)
        )
    }
}
