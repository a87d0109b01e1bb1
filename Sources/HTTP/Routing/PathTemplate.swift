/// How an address is written: words, holes for parameters, and perhaps a hole for a suffix at the end, such as
/// `/v1/charities/{charity}/top{.format}`. What a hole is called is for readers.
struct PathTemplate: Sendable {
    enum Segment: Sendable {
        case word(String)
        /// - Parameter tail: What follows the hole before the next slash, such as `.png`; mostly empty.
        case hole(tail: String)
    }

    /// Without the suffix's hole.
    let text: String
    /// What stands between the slashes.
    let segments: [Segment]
    let takesSuffix: Bool

    init(_ template: String) {
        let suffix = template.lastIndex(of: "{").flatMap { template[$0...].hasPrefix("{.") ? $0 : nil }
        text = String(template[..<(suffix ?? template.endIndex)])
        takesSuffix = suffix != nil
        segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.first == "{", let end = segment.firstIndex(of: "}") else { return .word(String(segment)) }
            return .hole(tail: String(segment[segment.index(after: end)...]))
        }
    }

    /// How many parameters a path has, the suffix among them.
    var parametersCount: Int {
        segments.reduce(takesSuffix ? 1 : 0) { count, segment in
            if case .hole = segment { count + 1 } else { count }
        }
    }

    /// The path with these texts in its holes.
    /// - Parameter texts: As many as there are parameters, escaped.
    func path(_ texts: [String]) -> String {
        var texts = texts[...]
        let path = segments.map { segment in
            switch segment {
            case .word(let word): "/" + word
            case .hole(let tail): "/" + (texts.popFirst() ?? "") + tail
            }
        }
        return path.joined() + (texts.popFirst() ?? "")
    }
}
