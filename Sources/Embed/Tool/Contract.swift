import Foundation

/// Writes `enum OpenAPI` with the document as bytes, and the version that it names.
func embedContract(_ file: String, into output: String) throws {
    let text = try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
    let label = "\n  version: "
    guard let beginning = text.range(of: label)?.upperBound,
        let version = text[beginning...].split(whereSeparator: { $0 == " " || $0 == "\n" }).first
    else { throw Refused(description: "\(file): info.version is missing") }
    let swift = """
        // Written by EmbedTool from Contract/openapi.yaml.

        /// What the server promises, as it shows it.
        package enum OpenAPI {
        /// The version of this program: `info.version`.
        package static let version = \(literal(String(version)))
        /// The document, UTF-8, ending with a line feed.
        static let bytes: [UInt8] = Array(text.utf8) + [10]
        private static let text = \(literal(text))
        }

        """
    try Data(swift.utf8).write(to: URL(fileURLWithPath: output))
}

/// A raw multi-line string literal of the text, byte for byte except for a line feed at the end, which it drops.
func literal(_ text: String) -> String {
    var fence = "#"
    while text.contains("\"\"\"" + fence) || text.contains("\\" + fence) { fence += "#" }
    return "\(fence)\"\"\"\n\(text.hasSuffix("\n") ? String(text.dropLast()) : text)\n\"\"\"\(fence)"
}

struct Refused: Error, CustomStringConvertible { let description: String }
