import Foundation

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
