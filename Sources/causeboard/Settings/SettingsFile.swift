import Domain
import FoundationEssentials
import Postgres

/// A settings file: one `NAME=value` a line, named as in the environment, without quotes; `#` begins a comment line.
struct SettingsFile: Sendable {
    let path: String
    /// The last of several lines for one name counts.
    let values: [String: String]

    /// Reads the file once. Every line has to be understood, because a misspelt name would be ignored silently.
    /// - Throws: ``CommandError`` that names the line and what is wrong with it.
    init(_ path: String) throws(CommandError) {
        self.path = path
        let lines = try TextFile.lines(
            path, orSay: "The settings file \(path) cannot be read. It is text, with a NAME=value a line.")
        var values: [String: String] = [:]
        for (index, line) in lines.enumerated() {
            if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") { continue }
            let place = "Line \(index + 1) of \(path)"
            guard let equals = line.firstIndex(of: "=") else { throw CommandError("\(place) is no NAME=value.") }
            let name = String(line[..<equals])
            guard Self.names.contains(name) else {
                throw CommandError(
                    "\(place): there is no setting \(name). There are \(Self.names.joined(separator: ", ")).")
            }
            let value = TextFile.trimmed(line[line.index(after: equals)...])
            guard value.first != "\"", value.first != "'" else { throw CommandError("\(place): leave out the quotes.") }
            values[name] = value
        }
        self.values = values
    }

    /// Whether it contains a secret or a password.
    var holdsSecrets: Bool {
        values.contains { name, value in
            name == "CAUSEBOARD_SECRET"
                ? !value.isEmpty : name.hasSuffix("_URL") && SeparatedLogin(value)?.hasPassword == true
        }
    }

    /// The settings file cannot name another one.
    private static let names = SettingList.all.named.map(\.environment).filter { $0 != "CAUSEBOARD_SETTINGS" }
}

/// A text file that an operator wrote by hand, such as settings, words or a list.
enum TextFile {
    /// Reads the file once; see ``TextLines`` for what ends a line.
    /// - Parameter unreadable: The sentence for a file that cannot be read.
    /// - Returns: All lines, empty ones too.
    /// - Throws: ``CommandError``; it names the first line that is no text.
    static func lines(_ path: String, orSay unreadable: @autoclosure () -> String) throws(CommandError) -> [String] {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { throw CommandError(unreadable()) }
        do throws(TextLines.Unreadable) { return try TextLines.read(Array(data)) } catch {
            throw CommandError("Line \(error.number) of \(path) is not UTF-8 text. Save the file as UTF-8.")
        }
    }

    /// A text without the white space around it.
    static func trimmed(_ text: Substring) -> String {
        let rest = text.drop { $0.isWhitespace }
        let end = rest.lastIndex { !$0.isWhitespace }
        return end.map { String(rest[...$0]) } ?? ""
    }
}
