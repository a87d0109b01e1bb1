import Leaderboard

extension Responder {
    /// `GET /metrics`: how this process is, in Prometheus' text format.
    var metrics: String {
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
        gauge("intake_waiting", "Scores and gifts that wait for their commit to begin.", health.waitingCount)
        if let lag = health.lag {
            gauge(
                "stream_lag_bytes",
                "Of the write-ahead log, that were still to come with the last commit.",
                lag.bytes
            )
            gauge("stream_lag_milliseconds", "From the last commit to its being in the standings.", lag.milliseconds)
        }
        return text
    }
}
