import Domain
import FoundationEssentials

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
