import CoreMetrics
import Testing

@testable import Telemetry

@Suite struct MetricsRegistryTests {
    private static func text(of registry: MetricsRegistry) -> [Substring] {
        var text = MetricsText()
        registry.write(to: &text)
        return text.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    }

    @Test("a histogram counts each value in its bucket and in all above, and sums in seconds") func histogram() {
        let registry = MetricsRegistry()
        let timer = Timer(label: "commit_seconds", dimensions: [("outcome", "committed")], factory: registry)
        for milliseconds in [1, 1, 3, 20_000] { timer.recordMilliseconds(milliseconds) }
        let lines = Self.text(of: registry)
        let labels = #"{outcome="committed""#
        #expect(lines.contains(#"causeboard_commit_seconds_bucket\#(labels),le="0.0005"} 0"#[...]))
        #expect(lines.contains(#"causeboard_commit_seconds_bucket\#(labels),le="0.001"} 2"#[...]))
        #expect(lines.contains(#"causeboard_commit_seconds_bucket\#(labels),le="0.005"} 3"#[...]))
        #expect(lines.contains(#"causeboard_commit_seconds_bucket\#(labels),le="10.0"} 3"#[...]))
        #expect(lines.contains(#"causeboard_commit_seconds_bucket\#(labels),le="+Inf"} 4"#[...]))
        #expect(lines.contains(#"causeboard_commit_seconds_sum\#(labels)} 20.005"#[...]))
        #expect(lines.contains(#"causeboard_commit_seconds_count\#(labels)} 4"#[...]))
    }

    @Test("whoever asks for the same series gets it, and no figure falls when one of them goes") func shared() {
        let registry = MetricsRegistry()
        let first = Counter(label: "writes_deferred_total", dimensions: [], factory: registry)
        first.increment(by: 2)
        first.destroy()
        Counter(label: "writes_deferred_total", dimensions: [], factory: registry).increment()
        #expect(Self.text(of: registry) == ["causeboard_writes_deferred_total 3"])
    }

    @Test("what no family is for is dropped, and so is one series too many") func bounds() {
        let registry = MetricsRegistry()
        Counter(label: "of_a_library", dimensions: [], factory: registry).increment()
        Timer(label: "writes_deferred_total", dimensions: [], factory: registry).recordNanoseconds(Int64(1))
        #expect(Self.text(of: registry).isEmpty)
        for number in 0..<MetricsRegistry.seriesMax + 50 {
            Counter(label: "route_requests_total", dimensions: [("route", "\(number)")], factory: registry).increment()
        }
        #expect(Self.text(of: registry).count == MetricsRegistry.seriesMax)
    }

    @Test("what would end the value of a label is escaped") func labels() {
        let registry = MetricsRegistry()
        Counter(label: "feed_lookups_total", dimensions: [("result", "a\\b\"c\nd")], factory: registry).increment()
        #expect(Self.text(of: registry) == [#"causeboard_feed_lookups_total{result="a\\b\"c\nd"} 1"#])
        #expect(MetricsText.labels([("a", "é"), ("b", "\r\n")]) == "{a=\"é\",b=\"\r\\n\"}")
        #expect(MetricsText.labels([]).isEmpty)
    }

    @Test("values beyond what fits end no process") func extremes() {
        let registry = MetricsRegistry()
        let rows = Recorder(label: "batch_rows", dimensions: [], aggregate: true, factory: registry)
        rows.record(Int64.max)
        rows.record(Int64.max)
        rows.record(Int64.min)
        rows.record(Double.nan)
        rows.record(Double.infinity)
        #expect(Self.text(of: registry).contains("causeboard_batch_rows_count 5"))
    }
}
