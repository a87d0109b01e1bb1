/// The pattern of a path: words, holes for parameters, and perhaps a suffix at the end, such as
/// `/v1/charities/{charity}/top{.format}`. The names of the holes are for readers only.
struct PathTemplate: Sendable {
    enum Segment: Sendable {
        case word(String)
        /// - Parameter tail: The text between the hole and the next slash, such as `.png`; usually empty.
        case hole(tail: String)
    }

    /// The template without the hole of its suffix.
    let text: String
    /// The parts between the slashes.
    let segments: [Segment]
    let takesSuffix: Bool
    /// The template as the table has it, with the hole of its suffix: such as `/v1/charities/{charity}/top{.format}`.
    let whole: String
    /// Which of the segments is the game's slug; nil in a template without a game.
    private let gameIndex: Int?
    /// The texts before each hole and after the last one, without the hole of a suffix.
    let literals: [String]

    init(_ template: String) {
        let suffix = template.lastIndex(of: "{").flatMap { template[$0...].hasPrefix("{.") ? $0 : nil }
        text = String(template[..<(suffix ?? template.endIndex)])
        takesSuffix = suffix != nil
        whole = template
        gameIndex = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).firstIndex(of: "{game}")
        segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard segment.first == "{", let end = segment.firstIndex(of: "}") else { return .word(String(segment)) }
            return .hole(tail: String(segment[segment.index(after: end)...]))
        }
        literals = segments.reduce(into: [""]) { literals, segment in
            switch segment {
            case .word(let word): literals[literals.count - 1] += "/" + word
            case .hole(let tail):
                literals[literals.count - 1] += "/"
                literals.append(tail)
            }
        }
    }

    /// Bytes of most paths, so that one allocation is enough for them.
    var pathBytesExpected: Int { whole.utf8.count + 64 }

    /// The number of parameters, the suffix included.
    var parametersCount: Int {
        segments.reduce(takesSuffix ? 1 : 0) { count, segment in if case .hole = segment { count + 1 } else { count } }
    }

    /// The text in the hole `{game}` of a path that fits the template.
    func game(in path: String) -> Substring? {
        guard let gameIndex else { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        return parts.indices.contains(gameIndex) ? parts[gameIndex] : nil
    }
}
