import Foundation

/// A charity as somebody names it: by slug, or by name in any case and spacing.
package struct CharityName: Sendable, Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Equal for all spellings that name the same charity: NFC, lower case, one space between words.
    package var folded: String {
        text.precomposedStringWithCanonicalMapping.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
