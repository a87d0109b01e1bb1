package import CoreMetrics
import Synchronization

/// Keeps what modules record through swift-metrics, and writes it for `/metrics`. The families are fixed, and so is the
/// most that there may be of series with different labels.
package final class MetricsRegistry: MetricsFactory {
    /// Series of a family; further ones are dropped.
    static let seriesMax = 4_096

    private struct Series {
        let labels: [(String, String)]
        let handler: any Sendable & AnyObject
    }

    private struct State {
        /// By family and labels.
        var indices: [String: Int] = [:]
        /// In the order of the families, and of their making.
        var series = [[Series]](repeating: [], count: MetricFamily.all.count)
    }

    private let state = Mutex(State())

    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let series: CounterSeries? = series(label, dimensions) { kind in
            if case .counter = kind { CounterSeries() } else { nil }
        }
        return series ?? NOOPMetricsHandler.instance
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let series: HistogramSeries? = series(label, dimensions) { kind in
            if case .amounts(let bounds) = kind { HistogramSeries(bounds: bounds) } else { nil }
        }
        return series ?? NOOPMetricsHandler.instance
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let series: HistogramSeries? = series(label, dimensions) { kind in
            if case .durations(let bounds) = kind { HistogramSeries(bounds: bounds) } else { nil }
        }
        return series ?? NOOPMetricsHandler.instance
    }

    // A series stays: its figures must not fall when the last one who records it goes.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// - Returns: The series of these labels, which is made unless it is there; nil for an unknown family, a family of
    ///   another kind, or one series too many.
    private func series<Handler: Sendable & AnyObject>(
        _ name: String, _ labels: [(String, String)], _ make: (MetricFamily.Kind) -> Handler?
    ) -> Handler? {
        guard let family = MetricFamily.all.firstIndex(where: { $0.name == name }) else { return nil }
        let key = labels.reduce(name) { "\($0)\u{0}\($1.0)\u{0}\($1.1)" }
        return state.withLock { state in
            if let index = state.indices[key] { return state.series[family][index].handler as? Handler }
            guard state.series[family].count < Self.seriesMax, let handler = make(MetricFamily.all[family].kind) else {
                return nil
            }
            state.indices[key] = state.series[family].count
            state.series[family].append(Series(labels: labels, handler: handler))
            return handler
        }
    }

    /// Writes all families. Of histograms it writes the series in which something was recorded.
    package func write(to text: inout MetricsText) {
        let families = state.withLock { $0.series }
        for (family, series) in zip(MetricFamily.all, families) where !series.isEmpty {
            switch family.kind {
            case .counter:
                text.counter(
                    family.name, family.help,
                    series.compactMap { series in
                        (series.handler as? CounterSeries).map { (MetricsText.labels(series.labels), $0.count) }
                    })
            case .durations: text.histogram(family.name, family.help, Self.samples(series, unitsInOne: 1_000_000_000))
            case .amounts: text.histogram(family.name, family.help, Self.samples(series, unitsInOne: 1))
            }
        }
    }

    private static func samples(_ series: [Series], unitsInOne: Int64) -> [String] {
        series.flatMap { series -> [String] in
            guard let figures = (series.handler as? HistogramSeries)?.figures, figures.count > 0 else { return [] }
            var samples = figures.cumulated.map { bound, count in
                let bound = bound.map { number($0, unitsInOne) } ?? "+Inf"
                return "_bucket\(MetricsText.labels(series.labels + [("le", bound)])) \(count)"
            }
            samples.append("_sum\(MetricsText.labels(series.labels)) \(number(figures.sum, unitsInOne))")
            samples.append("_count\(MetricsText.labels(series.labels)) \(figures.count)")
            return samples
        }
    }

    private static func number(_ value: Int64, _ unitsInOne: Int64) -> String {
        unitsInOne == 1 ? "\(value)" : "\(Double(value) / Double(unitsInOne))"
    }
}
