import Foundation

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
        // Written by EmbedTool from the files of Sources/Pages, and from deploy/clients/causeboard.js.

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
