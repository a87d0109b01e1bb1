import Foundation

/// Writes out the short forms of an OpenAPI document. The comment at the top of `Contract/openapi.yaml` says what each
/// one means. They are replaced as text, line by line, so the document needs no YAML parser.
struct ShortForms {
    /// The lines that stand for `x-name: value`, by name, with `$1` for the value.
    private var snippets: [String: [String]] = [:]
    /// The status of each problem response, by its name.
    private var statuses: [String: String] = [:]
    private var lines: [String] = []

    /// - Parameter text: The file. Its short forms are described before the line with `openapi:`.
    /// - Throws: `Refused`, if it has no such line.
    init(_ text: String) throws {
        guard let start = text.range(of: "\nopenapi: ")?.lowerBound else {
            throw Refused(description: "there is no line with openapi:")
        }
        readSnippets(text[..<start])
        for line in text[text.index(after: start)...].split(separator: "\n", omittingEmptySubsequences: false) {
            if let last = lines.last, last.isShortForm, !line.isEmpty, String(line).indent > last.indent {
                lines[lines.count - 1] += " " + line.drop { $0 == " " }
            } else {
                lines.append(String(line))
            }
        }
        readStatuses()
    }

    /// The document without short forms.
    /// - Throws: `Refused`, with the line that cannot be written out.
    func longForm() throws -> String {
        try copies(twins(lines)).flatMap(written).map(references).joined(separator: "\n")
    }

    private mutating func readSnippets(_ text: Substring) {
        var name = ""
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /\ {2}([\w-]+): \|/) {
                name = String(match.1)
            } else if line.hasPrefix("    ") {
                snippets[name, default: []].append(String(line.dropFirst(4)))
            }
        }
    }

    private mutating func readStatuses() {
        var name = ""
        for line in lines {
            if let match = line.wholeMatch(of: /\ {4}(\w+):/) { name = String(match.1) }
            if let match = line.firstMatch(of: /^      x-(?:problem|example): {.*status: (\d+)/) {
                statuses[name] = String(match.1)
            }
        }
    }

    // MARK: - Copies

    /// Adds after each path with `x-formats` a copy of the path with a suffix.
    private func twins(_ lines: [String]) throws -> [String] {
        var result: [String] = []
        var rest = lines[...]
        while let line = rest.popFirst() {
            result.append(line)
            guard line.hasPrefix("  /"), let form = rest.first?.wholeMatch(of: /\ {4}x-formats: {(\w+): (\w+)}/) else {
                continue
            }
            let block = rest.dropFirst().prefix { $0.indent >= 4 }
            rest = rest.dropFirst(1 + block.count)
            result += block
            result.append("\(line.dropLast()).{\(form.1)}:")
            if !block.contains(where: { $0.hasPrefix("    x-parameters: ") }) {
                result.append("    x-parameters: [\(form.2)]")
            }
            result += block.compactMap { twin(of: $0, parameter: String(form.2)) }
        }
        return result
    }

    /// A path's line as its copy has it; nil if the copy lacks the line.
    private func twin(of line: String, parameter: String) -> String? {
        if line.hasPrefix("      operationId: ") { return line + "As" }
        if line.hasPrefix("      summary: '") { return line.dropLast() + ", in a format'" }
        if line.hasPrefix("    x-parameters: ") { return line.dropLast() + ", \(parameter)]" }
        guard let (key, names) = line.shortList else {
            for name in snippets.keys where snippets[name + "-as"] != nil {
                if let key = line.range(of: "x-\(name): ") {
                    return line.replacingCharacters(in: key, with: "x-\(name)-as: ")
                }
            }
            return line.hasSuffix("- $parameters/accept") ? nil : line
        }
        var others = names.filter { $0 != "accept" && $0 != "NotAcceptable" }
        if key.hasSuffix("problems"), !others.contains("NotFound") { others.append("NotFound") }
        return others.isEmpty ? nil : line.indentation + "\(key): [\(others.joined(separator: ", "))]"
    }

    /// Replaces `x-classic` with the classic protocol's copies of the responses that it lists.
    private func copies(_ lines: [String]) throws -> [String] {
        try lines.flatMap { line in
            guard case ("x-classic", let names)? = line.shortList else { return [line] }
            return try names.flatMap { name in
                guard let start = lines.firstIndex(of: "    \(name):") else {
                    throw Refused(description: "there is no response \(name): \(line)")
                }
                return ["    Classic\(name):"]
                    + lines[(start + 1)...].prefix { $0.indent > 4 }.map {
                        $0.replacing(/^      x-/, with: "      x-classic-")
                    }
            }
        }
    }

    // MARK: - Lines

    /// The lines that a line with a short form stands for.
    private func written(_ line: String) throws -> [String] {
        switch line.shortList {
        case ("x-parameters", let names)?:
            return [line.indentation + "parameters: [\(names.map { "$parameters/\($0)" }.joined(separator: ", "))]"]
        case ("x-problems", let names)?: return try problems(names, prefix: "", in: line)
        case ("x-classic-problems", let names)?: return try problems(names, prefix: "Classic", in: line)
        default: break
        }
        if let match = line.wholeMatch(of: /( *)x-([\w-]+): (.*)/) {
            return try snippet(match.2, value: match.3, in: line).map { match.1 + $0 }
        }
        if let match = line.wholeMatch(of: /(.*[ {])x-([\w-]+): (.*)}/) {
            return [match.1 + (try snippet(match.2, value: match.3, in: line).joined(separator: ", ")) + "}"]
        }
        return [line]
    }

    private func snippet(_ name: Substring, value: Substring, in line: String) throws -> [String] {
        guard let lines = snippets[String(name)] else {
            throw Refused(description: "there is no short form x-\(name): \(line)")
        }
        return lines.map { $0.replacing("$1", with: value) }
    }

    private func problems(_ names: [String], prefix: String, in line: String) throws -> [String] {
        var listed: [String: String] = [:]
        for name in names + ["RateLimited", "Bug", "Busy"] {
            guard let status = statuses[name] else {
                throw Refused(description: "there is no problem response \(name): \(line)")
            }
            listed[status] = listed[status] ?? name
        }
        return listed.map { line.indentation + "'\($0)': $responses/\(prefix)\($1)" }.sorted()
    }

    private func references(_ line: String) -> String {
        line.replacing(/([ \[])\$(?:(\w+)\/)?(\w+)(?![\w:])/) { match in
            "\(match.1){$ref: '#/components/\(match.2 ?? "schemas")/\(match.3)'}"
        }
    }
}

extension String {
    fileprivate var indentation: String { String(prefix { $0 == " " }) }
    fileprivate var indent: Int { prefix { $0 == " " }.count }
    fileprivate var isShortForm: Bool { dropFirst(indent).hasPrefix("x-") }

    /// The key and the names of a line such as `x-parameters: [game, board]`.
    fileprivate var shortList: (key: String, names: [String])? {
        guard let match = wholeMatch(of: /\s*(x-[\w-]+): \[([\w, ]*)\]/) else { return nil }
        return (String(match.1), match.2.split(separator: ",").map { String($0.drop { $0 == " " }) })
    }
}
