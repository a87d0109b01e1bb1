/// libpq's `key=value` form of where to connect and as whom.
enum Conninfo {
    /// - Parameter pairs: in the order in which they shall appear.
    static func text(_ pairs: KeyValuePairs<String, String>) -> String {
        pairs.map { "\($0.key)=\(quoted($0.value))" }.joined(separator: " ")
    }

    /// Always in quotes; a quote and a backslash take a backslash before them.
    static func quoted(_ value: String) -> String {
        var text = "'"
        for scalar in value.unicodeScalars {
            if scalar == "'" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text + "'"
    }
}
