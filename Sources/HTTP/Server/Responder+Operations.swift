import Feeds
import HTTPTypes
import Leaderboard
import NIOCore
import Storage

// The routes for the administrator: health, metrics and the contract.
extension Responder {
    /// `GET /` redirects a browser to the rankings.
    func home(_ request: Request) -> Response {
        Response(status: .seeOther, headers: [.location: Routes.topScores.path(.html)])
    }

    /// `GET /healthz` succeeds while the process runs.
    func healthy(_ request: Request) -> Response { plain("ok\n") }

    /// `GET /readyz` succeeds while the database can be reached and takes writes.
    func ready(_ request: Request) async throws -> Response {
        guard try await !store.serverVersion().isReadOnly else { throw StoreError.unavailable }
        return plain("ok\n")
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

    /// `GET /metrics` has gauges of this process in Prometheus' text format.
    func metrics(_ request: Request) -> Response {
        let health = self.health()
        var text = ""
        func gauge(_ name: String, _ help: String, _ value: some CustomStringConvertible) {
            text += "# HELP causeboard_\(name) \(help)\n# TYPE causeboard_\(name) gauge\ncauseboard_\(name) \(value)\n"
        }
        gauge(
            "standings_loaded",
            "1 while ranks come from memory, 0 while they come from SQL.",
            health.areStandingsCurrent ? 1 : 0
        )
        gauge("standings_rows", "Rows of boards and windows in memory.", health.rowsCount)
        gauge("pending_writes", "Scores and donations that wait for their commit to begin.", health.pendingWritesCount)
        if let lag = health.lag {
            gauge(
                "stream_lag_bytes",
                "Of the write-ahead log, that were still to come with the last commit.",
                lag.bytes
            )
            gauge(
                "stream_lag_milliseconds",
                "From the last commit to its being in the standings.",
                lag.milliseconds
            )
        }
        if let time = health.timeSinceHeartbeat {
            gauge(
                "stream_seconds_since_heartbeat",
                "Since the latest heartbeat was sent that came back; above 2 ranks come from SQL.",
                Double(Int64(time / .milliseconds(1))) / 1_000
            )
        }
        return plain(text)
    }

    private func plain(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ByteBuffer(string: text)
        )
    }
}
