import Telemetry

/// A metric family whose samples are read when `/metrics` is requested. Metrics that are recorded while the server
/// works, such as durations, are in the `MetricsRegistry`.
struct Figure<Source>: Sendable {
    typealias Samples = [(labels: String, value: any CustomStringConvertible)]

    /// Without the prefix `causeboard_`. A name that ends in `_total` is a counter, any other one a gauge.
    private let name: String
    private let help: String
    private let read: @Sendable (Source) -> Samples?

    /// A family of one sample.
    /// - Parameter read: Returns nil to leave the family out.
    init(_ name: String, _ help: String, _ read: @escaping @Sendable (Source) -> (any CustomStringConvertible)?) {
        (self.name, self.help) = (name, help)
        self.read = { source in read(source).map { [("", $0)] } }
    }

    /// A family with one sample for each value of a label.
    /// - Parameter read: Returns the values of the label and their samples, or nil to leave the family out.
    init(
        _ name: String, _ help: String, by label: String,
        _ read: @escaping @Sendable (Source) -> [(String, any CustomStringConvertible)]?
    ) {
        (self.name, self.help) = (name, help)
        self.read = { source in read(source)?.map { (MetricsText.labels([(label, $0)]), $1) } }
    }

    /// A family of samples with their labels.
    init(_ name: String, _ help: String, labelled read: @escaping @Sendable (Source) -> Samples?) {
        (self.name, self.help, self.read) = (name, help, read)
    }

    func write(_ source: Source, to metrics: inout MetricsText) {
        guard let samples = read(source) else { return }
        let texts = samples.map { ($0.labels, "\($0.value)") }
        if name.hasSuffix("_total") { metrics.counter(name, help, texts) } else { metrics.gauge(name, help, texts) }
    }
}
