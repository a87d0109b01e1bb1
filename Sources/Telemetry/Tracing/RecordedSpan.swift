import Synchronization
package import Tracing

/// A part of a request's way, from its begin to its end. Only what is sampled has one.
package final class RecordedSpan: Span {
    private struct State {
        var name: String
        var attributes: SpanAttributes = [:]
        var hasFailed = false
        var hasEnded = false
    }

    private let state: Mutex<State>
    private let parent: UInt64?
    private let own: TraceParent
    private let kind: SpanKind
    private let start: UInt64
    private let finish: @Sendable (FinishedSpan) -> Void

    init(
        _ name: String, _ own: TraceParent, parent: UInt64?, kind: SpanKind, start: UInt64,
        finish: @escaping @Sendable (FinishedSpan) -> Void
    ) {
        state = Mutex(State(name: name))
        self.own = own
        self.parent = parent
        self.kind = kind
        self.start = start
        self.finish = finish
    }

    package var context: InstrumentationContext {
        var context = InstrumentationContext.topLevel
        context[SpanKey.self] = self
        context[ParentKey.self] = own
        return context
    }

    package var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    package var isRecording: Bool { state.withLock { !$0.hasEnded } }

    package func setStatus(_ status: SpanStatus) { state.withLock { $0.hasFailed = status.code == .error } }

    /// The error's text may quote what a client sent, so only its type is kept.
    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        state.withLock { state in
            state.hasFailed = true
            state.attributes["error.type"] = "\(type(of: error))"
        }
    }

    // Nothing in the house records these.
    package func addEvent(_ event: SpanEvent) {}
    package func addLink(_ link: SpanLink) {}

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        let finished = state.withLock { state -> FinishedSpan? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            return FinishedSpan(
                name: state.name, identity: own, parent: parent, kind: kind, start: start, end: max(start, end),
                attributes: FinishedSpan.attributes(state.attributes), hasFailed: state.hasFailed)
        }
        if let finished { finish(finished) }
    }

    enum SpanKey: InstrumentationContextKey { typealias Value = RecordedSpan }

    enum ParentKey: InstrumentationContextKey { typealias Value = TraceParent }
}

/// A span as it is exported.
package struct FinishedSpan: Sendable {
    enum Attribute: Sendable, Equatable {
        case text(String)
        case number(Int64)
        case truth(Bool)
    }

    let name: String
    let identity: TraceParent
    let parent: UInt64?
    let kind: SpanKind
    /// Nanoseconds since 1970.
    let start: UInt64
    let end: UInt64
    let attributes: [(name: String, value: Attribute)]
    let hasFailed: Bool

    static func attributes(_ attributes: SpanAttributes) -> [(name: String, value: Attribute)] {
        var all: [(name: String, value: Attribute)] = []
        attributes.forEach { name, value in
            switch value {
            case .int32(let number): all.append((name, .number(Int64(number))))
            case .int64(let number): all.append((name, .number(number)))
            case .bool(let truth): all.append((name, .truth(truth)))
            case .string(let text): all.append((name, .text(text)))
            default: break
            }
        }
        return all.sorted { $0.name < $1.name }
    }
}
