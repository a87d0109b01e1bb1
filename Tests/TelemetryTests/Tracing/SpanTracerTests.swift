import CoreMetrics
import Logging
import Synchronization
import Testing
import Tracing

@testable import Telemetry

@Suite struct SpanTracerTests {
    private final class Ended: Sendable {
        let spans = Mutex<[FinishedSpan]>([])
        var all: [FinishedSpan] { spans.withLock { $0 } }

        func tracer(_ ratio: Double) -> SpanTracer {
            SpanTracer(ratio: ratio) { span in self.spans.withLock { $0.append(span) } }
        }
    }

    private static let sampled = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    private static let unsampled = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"

    @Test("a span goes on with the trace of its caller, and its parts are below it") func tree() throws {
        let ended = Ended()
        let tracer = ended.tracer(1)
        let root = try #require(tracer.beginRequest(traceparent: Self.sampled, isTrusted: true))
        let part = tracer.startSpan("parse", context: root.context)
        part.end()
        root.operationName = "PUT /x"
        root.attributes["status"] = 201
        root.end()
        root.end()
        let spans = ended.all
        #expect(spans.map(\.name) == ["parse", "PUT /x"])
        #expect(spans.allSatisfy { $0.identity.trace.text == "0af7651916cd43dd8448eb211c80319c" })
        #expect(spans[0].parent == spans[1].identity.span && spans[1].parent == 0xb7ad_6b71_6920_3331)
        #expect(spans[0].identity.span != spans[1].identity.span && spans.allSatisfy { $0.start <= $0.end })
        #expect(tracer.activeSpan(identifiedBy: root.context) === root)
    }

    @Test("strangers cannot ask for spans, and what is not sampled where it comes from is not sampled here")
    func sampling() {
        let none = Ended().tracer(0)
        let all = Ended().tracer(1)
        #expect(none.beginRequest(traceparent: Self.sampled, isTrusted: false) == nil)
        #expect(none.beginRequest(traceparent: Self.sampled, isTrusted: true) != nil)
        #expect(none.beginRequest(traceparent: nil, isTrusted: true) == nil)
        #expect(none.beginRequest(traceparent: "nonsense", isTrusted: true) == nil)
        #expect(all.beginRequest(traceparent: "nonsense", isTrusted: false) != nil)
        #expect(all.beginRequest(traceparent: Self.unsampled, isTrusted: true) == nil)
        #expect(all.beginRequest(traceparent: Self.unsampled, isTrusted: false) != nil)
        let ended = Ended()
        ended.tracer(1).beginRequest(traceparent: Self.sampled, isTrusted: false)?.end()
        #expect(ended.all.count == 1 && ended.all.allSatisfy { $0.parent == nil })
        #expect(ended.all.first?.identity.trace.text != "0af7651916cd43dd8448eb211c80319c")
        let half = Ended().tracer(0.5)
        let count = (0..<2_000).count { _ in half.beginRequest(traceparent: nil, isTrusted: false) != nil }
        #expect((700...1_300).contains(count))
    }

    @Test("the document is OTLP's JSON, whatever is in its texts") func document() throws {
        let ended = Ended()
        let span = try #require(ended.tracer(1).beginRequest(traceparent: Self.sampled, isTrusted: true))
        span.operationName = "GET /\"\\\n\u{1}"
        span.attributes["cache"] = "hit"
        span.attributes["rows"] = 3
        span.recordError(SpanExport.Refused(status: 500))
        span.end()
        let text = FinishedSpan.document(ended.all, instance: "a:1")
        #expect(text.contains(#""traceId":"0af7651916cd43dd8448eb211c80319c""#))
        #expect(text.contains(#""parentSpanId":"b7ad6b7169203331","name":"GET /\"\\\n\u0001","kind":2"#))
        #expect(text.contains(#"{"key":"cache","value":{"stringValue":"hit"}}"#))
        #expect(text.contains(#"{"key":"error.type","value":{"stringValue":"Refused"}}"#))
        #expect(text.contains(#"{"key":"rows","value":{"intValue":"3"}}"#))
        #expect(text.contains(#""status":{"code":2}"#))
    }

    @Test("an export that has no room drops and counts, and sends in batches what it has") func export() async throws {
        let registry = MetricsRegistry()
        let sizes = Mutex<[Int]>([])
        let export = SpanExport(metrics: registry, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            spans in sizes.withLock { $0.append(spans.count) }
        }
        let ended = Ended()
        ended.tracer(1).beginRequest(traceparent: nil, isTrusted: true)?.end()
        let span = try #require(ended.all.first)
        for _ in 0..<SpanExport.waitingMax + 7 { export.add(span) }
        // What is cancelled sends what is left, in time.
        let run = Task { await export.run() }
        run.cancel()
        await run.value
        #expect(sizes.withLock { $0 }.allSatisfy { $0 <= SpanExport.batchMax })
        #expect(sizes.withLock { $0 }.reduce(0, +) == SpanExport.waitingMax)
        var text = MetricsText()
        registry.write(to: &text)
        #expect(text.text.contains("causeboard_trace_spans_total{result=\"dropped\"} 7\n"))
        #expect(text.text.contains("causeboard_trace_spans_total{result=\"sent\"} \(SpanExport.waitingMax)\n"))
    }

    @Test("what was being sent when the server ends is sent again, and a collector that never answers ends nothing")
    func interrupted() async throws {
        let ended = Ended()
        ended.tracer(1).beginRequest(traceparent: nil, isTrusted: true)?.end()
        let span = try #require(ended.all.first)
        for answers in [true, false] {
            let registry = MetricsRegistry()
            let (calls, signal) = AsyncStream.makeStream(of: Void.self)
            let count = Atomic(0)
            let export = SpanExport(metrics: registry, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            { _ in
                signal.yield()
                guard count.wrappingAdd(1, ordering: .relaxed).newValue == 1 || !answers else { return }
                try await Task.sleep(for: .seconds(3_600))
            }
            for _ in 0..<3 { export.add(span) }
            let run = Task { await export.run() }
            for await _ in calls { break }
            run.cancel()
            await run.value
            var text = MetricsText()
            registry.write(to: &text)
            #expect(text.text.contains("causeboard_trace_spans_total{result=\"sent\"} \(answers ? 3 : 0)\n"))
        }
    }
}

@Suite struct TraceParentTests {
    @Test("a traceparent is read as it is written, and anything else is none") func form() {
        let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let parent = TraceParent(text)
        #expect(parent?.trace == TraceParent.TraceID(high: 0x0af7_6519_16cd_43dd, low: 0x8448_eb21_1c80_319c))
        #expect(parent?.span == 0xb7ad_6b71_6920_3331 && parent?.isSampled == true)
        #expect(parent?.text == text)
        #expect(TraceParent(String(text.dropLast()) + "2")?.isSampled == false)
        #expect(TraceParent("01" + text.dropFirst(2) + "-later") != nil)
        for wrong in [
            "", "00", text + "-later", text.uppercased(), "ff" + text.dropFirst(2),
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", String(repeating: "0", count: 100_000),
            "01" + text.dropFirst(2) + "-" + String(repeating: "x", count: 300),
        ] { #expect(TraceParent(wrong) == nil, "\(wrong.prefix(80))") }
    }
}
