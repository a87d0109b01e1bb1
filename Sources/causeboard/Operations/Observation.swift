import Domain
import HTTP
import Leaderboard
import Logging
import ServiceLifecycle
import Storage
import Telemetry
import Tracing

/// What a server is observed with: metrics, and traces where they are asked for.
struct Observation: Sendable {
    let metrics = MetricsRegistry()
    /// Nil while nothing is traced.
    let tracer: SpanTracer?
    /// The file of spans, which SIGHUP opens again; nil without one.
    let lines: AccessLog?
    private let export: SpanExport?

    /// - Parameters:
    ///   - instance: What tells this process from others.
    ///   - reserve: The reserve of the disk that lines are written to.
    init(_ settings: TraceSettings, instance: String, reserve: DiskReserveRule, logger: Logger) throws {
        let lines = try settings.lines.map { path in
            do { return try AccessLog(path, reserve: reserve, logger: logger) } catch {
                throw CommandError("\(error). Choose another file with --trace-lines.")
            }
        }
        let export = settings.collector.map { [metrics] in
            SpanExport(to: $0, instance: instance, metrics: metrics, logger: logger)
        }
        (self.lines, self.export) = (lines, export)
        guard settings.isOn else {
            tracer = nil
            return
        }
        let tracer = SpanTracer(ratio: settings.ratio) { span in
            export?.add(span)
            lines?.append(span.line)
        }
        InstrumentationSystem.bootstrap(tracer)
        self.tracer = tracer
    }

    /// Counts spans whose lines were lost; nil without a file of them.
    var droppedLinesCount: (@Sendable () -> Int)? {
        guard let lines else { return nil }
        return { lines.droppedLinesCount }
    }

    var services: [any Service] {
        var services: [any Service] = []
        if let lines { services.append(AccessLogFlush(accessLog: lines)) }
        if let export { services.append(SpanSending(export: export)) }
        return services
    }
}

/// Sends spans to a collector.
private struct SpanSending: Service {
    let export: SpanExport

    func run() async throws { await cancelWhenGracefulShutdown { await export.run() } }
}
