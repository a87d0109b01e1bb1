/// The figures of a `/metrics`, as whoever scrapes them reads them.
package struct Scrape: Sendable {
    /// By name and labels as they are written, without the prefix `causeboard_`.
    private let values: [String: Double]

    /// - Parameter text: Lines that are no figures of ours are left out.
    package init(_ text: String) {
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix(Self.prefix) {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            values[String(line[..<space].dropFirst(Self.prefix.count))] = value
        }
        self.values = values
    }

    private static let prefix = "causeboard_"

    /// A figure by its name and its labels, such as `database_waiting{pool="ledger"}`.
    subscript(series: String) -> Double? { values[series] }

    /// The figures of a family, by their labels.
    func family(_ name: String) -> [(labels: String, value: Double)] {
        values.filter { $0.key.hasPrefix(name + "{") }.map { (String($0.key.dropFirst(name.count)), $0.value) }.sorted {
            $0.labels < $1.labels
        }
    }

    /// The value of the first label.
    static func word(_ labels: String) -> String {
        String(labels.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" })
    }
}
