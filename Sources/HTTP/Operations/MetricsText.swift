/// Metrics in Prometheus' text format, version 0.0.4. The names are ours and the labels' values are fixed words, so
/// nothing in them needs escaping.
struct MetricsText {
    private(set) var text = ""

    /// - Parameter name: Without the prefix `causeboard_`.
    mutating func gauge(_ name: String, _ help: String, _ value: some CustomStringConvertible) {
        family(name, "gauge", help, [("", "\(value)")])
    }

    /// - Parameter values: Each with its labels, such as `{pool="general"}`.
    mutating func gauge(_ name: String, _ help: String, _ values: [(labels: String, value: Int)]) {
        family(name, "gauge", help, values.map { ($0.labels, "\($0.value)") })
    }

    /// - Parameter name: Ends in `_total`.
    mutating func counter(_ name: String, _ help: String, _ values: [(labels: String, value: Int)]) {
        family(name, "counter", help, values.map { ($0.labels, "\($0.value)") })
    }

    private mutating func family(_ name: String, _ type: String, _ help: String, _ values: [(String, String)]) {
        text += "# HELP causeboard_\(name) \(help)\n# TYPE causeboard_\(name) \(type)\n"
        for (labels, value) in values { text += "causeboard_\(name)\(labels) \(value)\n" }
    }
}
