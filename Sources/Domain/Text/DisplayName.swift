/// The name of a game, board or charity, which an operator chooses: one line that shows something.
package struct DisplayName: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Nil unless the text, brought to NFC, is 1 to ``Limits/displayNameCharactersMax`` characters without controls and
    /// controls of writing direction, and shows something.
    package init?(_ text: String) {
        guard text.utf8.count <= Limits.displayNameCharactersMax * 16 else { return nil }
        let name = text.nfc
        guard (1...Limits.displayNameCharactersMax).contains(name.count),
            !name.unicodeScalars.contains(where: Self.isRefused),
            !NameSkeleton(of: name).description.isEmpty
        else { return nil }
        self.description = name
    }

    /// What a name may be, for whoever has to choose another one.
    package static let rule = "1 to \(Limits.displayNameCharactersMax) characters on one line, with letters or digits"

    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl || scalar.properties.isNoncharacterCodePoint
        }
    }
}
