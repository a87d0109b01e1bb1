/// The settings that an operator has given the embedded database, as opposed to those that Causeboard writes.
///
/// PostgreSQL reads `postgresql.conf`, at its end our file, and then `postgresql.auto.conf`, where ALTER SYSTEM writes.
/// The last of several lines for a setting wins.
struct OperatorSettings: Equatable {
    /// Names and values that win over ours.
    private(set) var winning: [String: String] = [:]
    /// Names and values in `postgresql.conf` before the line that includes our file, which ours override.
    private(set) var overridden: [String: String] = [:]

    /// - Parameters:
    ///   - main: The text of `postgresql.conf`.
    ///   - automatic: The text of `postgresql.auto.conf`.
    init(main: String, automatic: String) {
        var isIncluded = false
        for line in SmallFile.lines(main) {
            if line == Configuration.include {
                isIncluded = true
            } else if let (name, value) = Self.setting(line) {
                if isIncluded { winning[name] = value } else { overridden[name] = value }
            }
        }
        for line in SmallFile.lines(automatic) { if let (name, value) = Self.setting(line) { winning[name] = value } }
        for (name, value) in Self.ofInitdb where value == nil || overridden[name] == value { overridden[name] = nil }
        for name in winning.keys { overridden[name] = nil }
    }

    /// The lines that `initdb` writes itself; nil where the value depends on the machine.
    private static let ofInitdb: [String: String?] = [
        "shared_buffers": "128MB", "max_wal_size": "1GB", "max_connections": "100", "timezone": nil,
        "log_timezone": nil,
    ]

    /// Reads a line `name = value # comment`; the sign and the comment may be missing, and the value may be in quotes.
    static func setting(_ line: Substring) -> (name: String, value: String)? {
        let text = line.drop { $0.isWhitespace }
        let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        guard name.first?.isLetter == true else { return nil }
        var rest = text.dropFirst(name.count).drop { $0.isWhitespace }
        if rest.first == "=" { rest = rest.dropFirst().drop { $0.isWhitespace } }
        guard rest.first == "'" else {
            let value = rest.prefix { !$0.isWhitespace && $0 != "#" }
            return value.isEmpty ? nil : (name.lowercased(), String(value))
        }
        return (name.lowercased(), quoted(rest.dropFirst()))
    }

    /// The value up to the closing quote. A quote in it is doubled, or follows a backslash.
    private static func quoted(_ text: Substring) -> String {
        var value = ""
        var isEscaped = false
        var rest = text
        while let character = rest.popFirst() {
            if isEscaped {
                value.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "'" {
                guard rest.first == "'" else { break }
                value.append(character)
                rest.removeFirst()
            } else {
                value.append(character)
            }
        }
        return value
    }
}
