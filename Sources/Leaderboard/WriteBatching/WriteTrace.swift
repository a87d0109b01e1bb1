import Tracing

/// The spans of one traced write: its wait for a batch, the batch, and the standings that follow it. A write that is
/// not traced has none.
struct WriteTrace: Sendable {
    private let context: InstrumentationContext

    /// The write of the task that asks; nil unless its request is traced.
    static var current: WriteTrace? { InstrumentationContext.current.map(WriteTrace.init(context:)) }

    /// The wait is over, and a batch begins.
    func waited(since arrivedAt: ContinuousClock.Instant) {
        let span = InstrumentationSystem.tracer.startSpan(
            "queue", context: context, at: DefaultTracerClock.Timestamp(of: arrivedAt))
        span.end()
    }

    func begin(_ name: String) -> any Span { InstrumentationSystem.tracer.startSpan(name, context: context) }
}

/// The spans of a batch, one for each traced write in it. The statements belong to the first one.
struct BatchTrace: Sendable {
    private let writes: [WriteTrace]
    private let commits: [any Span]

    /// - Returns: Nil when no write is traced.
    init?(_ writes: ArraySlice<PendingWrite>) {
        guard writes.contains(where: { $0.trace != nil }) else { return nil }
        let traced = writes.compactMap { $0.trace }
        self.writes = traced
        commits = traced.map { $0.begin("commit") }
        for commit in commits { commit.attributes["batch.rows"] = writes.count }
    }

    /// In which the batch's statements are traced.
    var context: InstrumentationContext? { commits.first?.context }

    /// The batch is committed; the spans that begin now end when the standings contain it.
    func committed() -> Following {
        for commit in commits { commit.end() }
        return Following(spans: writes.map { $0.begin("standings") })
    }

    /// The time until the standings contain the batch.
    struct Following: Sendable {
        fileprivate let spans: [any Span]

        func end() { for span in spans { span.end() } }
    }

    func failed(_ error: any Error) {
        for commit in commits {
            commit.recordError(error)
            commit.end()
        }
    }
}

extension DefaultTracerClock.Timestamp {
    /// The time of day of an instant that is over.
    init(of instant: ContinuousClock.Instant) {
        let ago = UInt64(max(0, (.now - instant).nanoseconds))
        let now = DefaultTracerClock.now.nanosecondsSinceEpoch
        self.init(nanosecondsSinceEpoch: now >= ago ? now - ago : 0)
    }
}
