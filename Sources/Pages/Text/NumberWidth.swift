/// How much room a column of numbers, or a number on plates, needs. The style sheet has a class for each step.
enum NumberWidth {
    private static let steps: [(max: Int, name: String)] = [(10, "d10"), (14, "d14"), (18, "d18"), (22, "d22")]

    /// The class for the longest of these texts.
    /// - Returns: False when seven characters are enough, which is what columns have anyway.
    static func fill(_ texts: some Sequence<String>) -> Fill {
        let longest = texts.lazy.map(length).max() ?? 0
        if longest <= 7 { return false }
        return .text(steps.first { longest <= $0.max }?.name ?? "d40")
    }

    /// Whether a number has a line of its own where it would be broken nowhere.
    static func isLong(_ text: String) -> Bool { length(text) > 22 }

    /// Characters, of which those of East Asia and emoji take twice the room.
    private static func length(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
    }
}
