/// The name of a game, board or charity in a path: `[a-z0-9][a-z0-9-]{0,62}`, and none of the words that paths reserve.
package struct Slug: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Nil when the text is no slug.
    package init?(_ text: String) { self.init(text[...]) }

    /// Nil when the text is no slug. It takes one type of text, because a caller in another module would call a generic
    /// function by way of its types' metadata.
    package init?(_ text: Substring) {
        let isSlug = text.withBytes { bytes in
            (1...63).contains(bytes.count) && bytes[0] != UInt8(ascii: "-") && bytes.allSatisfy(Self.isAllowed)
        }
        guard isSlug else { return nil }
        self.description = String(text)
        if Self.reserved.contains(description) { return nil }
    }

    private init(known description: String) { self.description = description }

    /// The rule in words, for an error message.
    package static let rule = "1 to 63 of a-z, 0-9 and -, not beginning with -, and not one of me, top, live, overall"

    /// The game of the clients of 2009.
    package static let defaultGame = Slug(known: "default")
    /// The board of the `default` game behind `/high_scores`.
    package static let highScores = Slug(known: "high-scores")
    /// The donation board of all charities together. It is a reserved word, so no charity can have it.
    package static let overall = Slug(known: "overall")

    private static let reserved = ["me", "top", "live", "overall"]

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
