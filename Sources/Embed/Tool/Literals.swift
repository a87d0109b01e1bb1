import Foundation

/// Writes `enum OpenAPI` with the document in its long form as bytes, and the version that it names.
func embedContract(_ file: String, into output: String) throws {
    let text: String
    do { text = try ShortForms(String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)).longForm() } catch let
        error as Refused
    { throw Refused(description: "\(file): \(error)") }
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

/// The part of `Package.resolved` that says which versions were taken.
private struct Resolution: Decodable {
    struct Pin: Decodable {
        struct State: Decodable {
            let version: String?
            let branch: String?
        }
        let identity: String
        let state: State
    }
    let pins: [Pin]
}

/// Writes `enum Packages` with the name and version of each package. Without a file the list is empty.
func embedPackages(_ file: String?, into output: String) throws {
    var rows: [String] = []
    if let file {
        let pins = try JSONDecoder().decode(Resolution.self, from: Data(contentsOf: URL(fileURLWithPath: file))).pins
        rows = pins.sorted { $0.identity < $1.identity }.map { pin in
            let version = pin.state.version ?? pin.state.branch ?? "of a commit"
            return "(\(literal(pin.identity)), \(literal(version))),"
        }
    }
    let swift = """
        // Written by EmbedTool from Package.resolved.

        /// The packages of the build of this program, by name.
        enum Packages {
        static let all: [(name: String, version: String)] = [
        \(rows.joined(separator: "\n"))
        ]
        }

        """
    try Data(swift.utf8).write(to: URL(fileURLWithPath: output))
}

/// Writes `enum PageFiles` with the text of each file by its name: templates and languages without their extension,
/// and assets with it.
func embedPages(_ files: ArraySlice<String>, into output: String) throws {
    var texts: [(list: String, name: String, text: String)] = []
    for file in files.map(URL.init(fileURLWithPath:)) {
        let text = try String(contentsOf: file, encoding: .utf8)
        let stem = file.deletingPathExtension().lastPathComponent
        switch file.pathExtension {
        case "mustache": texts.append(("templates", stem, text))
        case "lang": texts.append(("languages", stem, text))
        default: texts.append(("assets", file.lastPathComponent, text))
        }
    }
    var swift = """
        // Written by EmbedTool from the files of Sources/Pages, and from Clients/causeboard.js.

        /// The files that pages are made of, each with a line feed at its end.
        enum PageFiles {

        """
    for list in ["templates", "languages", "assets"] {
        swift += "static let \(list): [(name: String, text: String)] = [\n"
        for file in texts where file.list == list { swift += "(\"\(file.name)\", \(literal(file.text)) + \"\\n\"),\n" }
        swift += "]\n"
    }
    swift += "}\n"
    try Data(swift.utf8).write(to: URL(fileURLWithPath: output))
}
