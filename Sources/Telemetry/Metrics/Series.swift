import CoreMetrics
import Synchronization

/// A number that only grows.
final class CounterSeries: CounterHandler {
    private let value = Atomic<Int64>(0)

    var count: Int64 { value.load(ordering: .relaxed) }

    func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { value.store(0, ordering: .relaxed) }
}

/// How many values were recorded up to each of some bounds. Recording takes a lock for some nanoseconds and no memory.
final class HistogramSeries: TimerHandler, RecorderHandler {
    struct Figures {
        /// The upper bounds, which belong to their buckets; nil for what is above all of them. The counts include those
        /// of the buckets below.
        let cumulated: [(bound: Int64?, count: Int64)]
        let count: Int64
        let sum: Int64
    }

    private struct State {
        /// One for each bound, and one for what is above them.
        var counts: [Int64]
        var sum: Int64 = 0
    }

    private let bounds: [Int64]
    private let state: Mutex<State>

    init(bounds: [Int64]) {
        self.bounds = bounds
        state = Mutex(State(counts: [Int64](repeating: 0, count: bounds.count + 1)))
    }

    var figures: Figures {
        let state = self.state.withLock { $0 }
        var count: Int64 = 0
        let cumulated = state.counts.enumerated().map { index, here -> (bound: Int64?, count: Int64) in
            count += here
            return (index < bounds.count ? bounds[index] : nil, count)
        }
        return Figures(cumulated: cumulated, count: count, sum: state.sum)
    }

    func recordNanoseconds(_ duration: Int64) { record(duration) }

    func record(_ value: Int64) {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        state.withLock { state in
            state.counts[index] &+= 1
            state.sum = state.sum.addingReportingOverflow(max(value, 0)).partialValue
        }
    }

    func record(_ value: Double) { record(Int64(exactly: value.rounded()) ?? 0) }
}
