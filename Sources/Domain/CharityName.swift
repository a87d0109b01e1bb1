/// A charity as somebody names it: by slug, or by name in any case and spacing.
package struct CharityName: Sendable, Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Equal, byte for byte, for all spellings that name the same charity: NFC, without case, one space between words.
    package var folded: String {
        // Mapping case can undo NFC and reorder marks: so NFD before it (Unicode, D145) and NFC after it.
        text.nfd.caseFolded.nfc.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
