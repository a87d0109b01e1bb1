import ArgumentParser
import Configuration
import Telemetry

/// The options of `serve` about traces.
struct TraceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Share of requests that are traced, 0 to 1. CAUSEBOARD_TRACE_SAMPLE; 0.01 where spans go anywhere.
            """, valueName: "share")) var traceSample: Double?

    @Option(
        help: ArgumentHelp(
            """
            Where spans are sent, by OTLP over HTTP in JSON, such as http://127.0.0.1:4318/v1/traces. \
            CAUSEBOARD_TRACE_OTLP; none.
            """, valueName: "url")) var traceOtlp: String?

    @Option(
        help: ArgumentHelp(
            "File that gets a line for each span, or - for standard output. CAUSEBOARD_TRACE_LINES; none.",
            valueName: "file")) var traceLines: String?
}

/// Where spans go, and of how many requests.
struct TraceSettings: Sendable {
    let collector: HTTPAddress?
    /// A file, or `-` for standard output.
    let lines: String?
    /// 0...1; 0 while spans go nowhere.
    let ratio: Double

    init(_ settings: Settings, _ options: TraceOptions? = nil) throws {
        collector = try settings.text(options?.traceOtlp, "causeboard.trace.otlp").map { text in
            guard let address = HTTPAddress(text, standardPath: "/v1/traces") else {
                throw CommandError(
                    """
                    --trace-otlp (CAUSEBOARD_TRACE_OTLP) is the URL of a collector of traces, such as \
                    http://127.0.0.1:4318/v1/traces, without user and query.
                    """)
            }
            return address
        }
        lines = settings.text(options?.traceLines, "causeboard.trace.lines")
        var share = options?.traceSample
        if share == nil, let text = settings.text(nil, "causeboard.trace.sample") { share = Double(text) ?? -1 }
        guard (0...1).contains(share ?? 0) else {
            throw CommandError("--trace-sample (CAUSEBOARD_TRACE_SAMPLE) is a share of all requests. Give 0 to 1.")
        }
        ratio = collector == nil && lines == nil ? 0 : share ?? 0.01
    }

    var isOn: Bool { collector != nil || lines != nil }
}
