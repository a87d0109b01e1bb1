/// A family of metrics that modules record through swift-metrics. What is recorded under another name is dropped, so a
/// library cannot add metrics of its own.
package struct MetricFamily: Sendable {
    enum Kind: Sendable {
        case counter
        /// A histogram of durations. The bounds are nanoseconds, and are written as seconds.
        case durations(bounds: [Int64])
        /// A histogram of whole numbers.
        case amounts(bounds: [Int64])
    }

    /// The name without the prefix `causeboard_`, which is the label in swift-metrics.
    let name: String
    let help: String
    let kind: Kind

    /// From 0.1 ms, which a cached feed takes, to 10 s, after which a post is given up.
    private static let durations = Kind.durations(bounds: [
        100_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 2_500_000_000, 10_000_000_000,
    ])

    /// All families, in the order in which they are written.
    static let all: [MetricFamily] = [
        MetricFamily(
            name: "request_seconds", help: "From a request's being read to its response, by route and method.",
            kind: durations),
        MetricFamily(name: "route_requests_total", help: "Requests by route, method and status.", kind: .counter),
        MetricFamily(
            name: "batch_rows", help: "Scores and donations that were committed together.",
            kind: .amounts(bounds: [1, 2, 4, 8, 16, 32, 64, 128])),
        MetricFamily(
            name: "write_wait_seconds", help: "From a score's or donation's arrival to the begin of its commit.",
            kind: durations),
        MetricFamily(name: "commit_seconds", help: "What a commit of a batch took, by outcome.", kind: durations),
        MetricFamily(
            name: "writes_refused_total",
            help: "Scores and donations that were not recorded because of the server or its database, by reason.",
            kind: .counter),
        MetricFamily(
            name: "batches_total",
            help: "Committed batches by how they were judged: from memory, after a wrong memory, or under locks.",
            kind: .counter),
        MetricFamily(
            name: "writes_deferred_total",
            help: "Times that a score or donation was put off, because its player was locked.", kind: .counter),
        MetricFamily(name: "plan_runs_total", help: "Runs of players' plans, by outcome.", kind: .counter),
        MetricFamily(name: "feed_lookups_total", help: "Cached feeds asked for, by result.", kind: .counter),
        MetricFamily(
            name: "identity_checks_total", help: "Checked ID tokens, by provider kind and outcome.", kind: .counter),
        MetricFamily(name: "identity_key_fetches_total", help: "Fetches of issuers' keys, by result.", kind: .counter),
        MetricFamily(name: "awards_total", help: "Awards by what became of them.", kind: .counter),
        MetricFamily(name: "trace_spans_total", help: "Spans of traces by what became of them.", kind: .counter),
    ]
}
