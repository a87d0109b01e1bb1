/// Metrics in Prometheus' text format, version 0.0.4. The names are ours. Values of labels that are no fixed words are
/// escaped by ``labels(_:)``.
package struct MetricsText {
    package private(set) var text = ""

    package init() {}

    /// Writes labels, such as `{table="score"}`; nothing for none.
    package static func labels(_ labels: [(String, String)]) -> String {
        labels.isEmpty ? "" : "{" + labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { [0x0A, 0x22, 0x5C].contains($0) }) else { return value }
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += #"\\"#
            case "\"": text += #"\""#
            case "\n": text += #"\n"#
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// - Parameter name: Without the prefix `causeboard_`.
    package mutating func gauge(_ name: String, _ help: String, _ value: some CustomStringConvertible) {
        family(name, "gauge", help, [("", "\(value)")])
    }

    /// - Parameter values: Each with its labels, such as `{pool="general"}`.
    package mutating func gauge(
        _ name: String, _ help: String, _ values: [(labels: String, value: some CustomStringConvertible)]
    ) { family(name, "gauge", help, values.map { ($0.labels, "\($0.value)") }) }

    /// - Parameter name: Ends in `_total`.
    package mutating func counter(
        _ name: String, _ help: String, _ values: [(labels: String, value: some CustomStringConvertible)]
    ) { family(name, "counter", help, values.map { ($0.labels, "\($0.value)") }) }

    /// - Parameter samples: What follows the name, such as `_bucket{le="1"} 3`.
    mutating func histogram(_ name: String, _ help: String, _ samples: [String]) {
        text += "# HELP causeboard_\(name) \(help)\n# TYPE causeboard_\(name) histogram\n"
        for sample in samples { text += "causeboard_\(name)\(sample)\n" }
    }

    private mutating func family(_ name: String, _ type: String, _ help: String, _ values: [(String, String)]) {
        text += "# HELP causeboard_\(name) \(help)\n# TYPE causeboard_\(name) \(type)\n"
        for (labels, value) in values { text += "causeboard_\(name)\(labels) \(value)\n" }
    }
}
