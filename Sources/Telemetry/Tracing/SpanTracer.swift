package import Tracing

/// Makes the spans of sampled requests and hands them on when they have ended.
package final class SpanTracer: Tracer {
    /// A throw of the dice with 2^53 sides is sampled when it is below this.
    private let sampledBelow: UInt64
    private let finish: @Sendable (FinishedSpan) -> Void

    /// - Parameters:
    ///   - ratio: The share of requests that are traced, 0...1.
    ///   - finish: Takes what has ended; must not wait.
    package init(ratio: Double, finish: @escaping @Sendable (FinishedSpan) -> Void) {
        sampledBelow = UInt64(max(0, min(1, ratio)) * Double(Self.sides))
        self.finish = finish
    }

    private static let sides: UInt64 = 1 << 53

    /// Begins the span of a request, if it is sampled.
    /// - Parameters:
    ///   - traceparent: The header. Its trace goes on, as sampled as it is there.
    ///   - isTrusted: Whether the header counts at all. Others could ask for any number of spans, for none, or add
    ///     theirs to the traces of somebody else.
    /// - Returns: Nil when the request is not sampled.
    package func beginRequest(traceparent: String?, isTrusted: Bool) -> RecordedSpan? {
        let parent = isTrusted ? traceparent.flatMap { TraceParent($0) } : nil
        if let parent, !parent.isSampled { return nil }
        guard parent != nil || UInt64.random(in: 0..<Self.sides) < sampledBelow else { return nil }
        return span("request", of: parent, kind: .server, start: DefaultTracerClock.now.nanosecondsSinceEpoch)
    }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> RecordedSpan {
        span(
            operationName, of: context()[RecordedSpan.ParentKey.self], kind: kind,
            start: instant().nanosecondsSinceEpoch)
    }

    package func activeSpan(identifiedBy context: InstrumentationContext) -> RecordedSpan? {
        context[RecordedSpan.SpanKey.self]
    }

    package func forceFlush() {}

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        context[RecordedSpan.ParentKey.self] = extractor.extract(key: "traceparent", from: carrier).flatMap {
            TraceParent($0)
        }
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let parent = context[RecordedSpan.ParentKey.self] else { return }
        injector.inject(parent.text, forKey: "traceparent", into: &carrier)
    }

    private func span(_ name: String, of parent: TraceParent?, kind: SpanKind, start: UInt64) -> RecordedSpan {
        let trace =
            parent?.trace ?? TraceParent.TraceID(high: .random(in: 1...UInt64.max), low: .random(in: 1...UInt64.max))
        return RecordedSpan(
            name, TraceParent(trace: trace, span: .random(in: 1...UInt64.max), isSampled: true), parent: parent?.span,
            kind: kind, start: start, finish: finish)
    }
}
