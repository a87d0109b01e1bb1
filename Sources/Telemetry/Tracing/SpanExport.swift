package import CoreMetrics
package import Logging
import Synchronization

/// Sends ended spans to a collector in batches, over OTLP's HTTP in JSON. A request never waits for it: while the
/// collector is slow or away, what finds no room is dropped and counted.
package final class SpanExport: Sendable {
    /// Spans that wait.
    package static let waitingMax = 4_096
    /// Spans that are sent together.
    package static let batchMax = 512
    private static let pause = Duration.seconds(1)
    private static let answerMax = Duration.seconds(5)
    /// How long the last spans may take when the server ends.
    private static let flushMax = Duration.seconds(1)

    private let waiting = Mutex<[FinishedSpan]>([])
    private let send: @Sendable ([FinishedSpan]) async throws -> Void
    private let sent: Counter
    private let dropped: Counter
    private let failed: Counter
    private let logger: Logger

    /// - Parameter send: Sends a batch, and throws unless the collector has taken it.
    package init(
        metrics: any MetricsFactory, logger: Logger, send: @escaping @Sendable ([FinishedSpan]) async throws -> Void
    ) {
        self.send = send
        self.logger = logger
        func counter(_ result: String) -> Counter {
            Counter(label: "trace_spans_total", dimensions: [("result", result)], factory: metrics)
        }
        sent = counter("sent")
        dropped = counter("dropped")
        failed = counter("failed")
    }

    /// Sends to a collector.
    /// - Parameters:
    ///   - url: That of traces, such as `http://127.0.0.1:4318/v1/traces`.
    ///   - instance: What tells this process from others.
    package convenience init(to url: HTTPAddress, instance: String, metrics: any MetricsFactory, logger: Logger) {
        self.init(metrics: metrics, logger: logger) { spans in
            let response = try await HTTPExchange.send(
                .post(FinishedSpan.document(spans, instance: instance), "application/json"), to: url,
                within: Self.answerMax)
            guard response.status / 100 == 2 else { throw Refused(status: response.status) }
        }
    }

    struct Refused: Error { let status: Int }

    package func add(_ span: FinishedSpan) {
        let isTaken = waiting.withLock { waiting in
            guard waiting.count < Self.waitingMax else { return false }
            waiting.append(span)
            return true
        }
        if !isTaken { dropped.increment() }
    }

    /// Sends what waits, once a second. When it is cancelled, it breaks off what it is sending, and sends that and what
    /// is left, one batch after the other, until one fails or ``flushMax`` is over.
    package func run() async {
        var wasGood = true
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.pause)
            while !Task.isCancelled, let batch = next() {
                let error = await export(batch)
                if let error, Task.isCancelled {
                    if error is CancellationError { waiting.withLock { $0.insert(contentsOf: batch, at: 0) } }
                    break
                }
                tell(error, wasGood: wasGood)
                wasGood = error == nil
                if !wasGood { break }
            }
        }
        // A cancelled task cannot send, so another one does, and this one waits for it.
        await Task { await flush() }.value
    }

    private func flush() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { while let batch = self.next(), await self.export(batch) == nil {} }
            group.addTask { try? await Task.sleep(for: Self.flushMax) }
            await group.next()
            group.cancelAll()
        }
        let left = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting.count
        }
        if left > 0 { dropped.increment(by: left) }
    }

    private func tell(_ error: (any Error)?, wasGood: Bool) {
        if let error, wasGood {
            var metadata: Logger.Metadata = ["error": "\(type(of: error))"]
            if let refused = error as? Refused { metadata["status"] = "\(refused.status)" }
            logger.warning("the collector of traces takes no spans; they are dropped until it does", metadata: metadata)
        } else if error == nil, !wasGood {
            logger.info("the collector of traces takes spans again")
        }
    }

    private func next() -> [FinishedSpan]? {
        waiting.withLock { waiting in
            guard !waiting.isEmpty else { return nil }
            let batch = Array(waiting.prefix(Self.batchMax))
            waiting.removeFirst(batch.count)
            return batch
        }
    }

    /// - Returns: Why the collector has not taken the batch; nil when it has.
    private func export(_ batch: [FinishedSpan]) async -> (any Error)? {
        do {
            try await send(batch)
            sent.increment(by: batch.count)
            return nil
        } catch {
            // What was broken off is sent again.
            if !(error is CancellationError) { failed.increment(by: batch.count) }
            return error
        }
    }
}
