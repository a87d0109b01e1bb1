/// The name of a game, board or charity, which an administrator chooses: one line with something visible in it.
package struct DisplayName: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Nil unless the text, in the one form of names (`nameForm`), is 1 to ``Limits/displayNameCharactersMax``
    /// known characters without controls and controls of writing direction, and has a letter, digit or symbol.
    package init?(_ text: String) {
        guard text.utf8.count <= Limits.displayNameBytesMax else { return nil }
        let name = text.nameForm
        guard name.utf8.count <= Limits.displayNameBytesMax, (1...Limits.displayNameCharactersMax).contains(name.count),
            !name.unicodeScalars.contains(where: Self.isRefused), !NameSkeleton(of: name).description.isEmpty
        else { return nil }
        self.description = name
    }

    /// A name that the database holds. It was checked when it was set, perhaps by an earlier edition of Unicode.
    package init(stored text: String) { description = text }

    /// The rule in words, for an error message.
    package static let rule = "1 to \(Limits.displayNameCharactersMax) characters on one line, with letters or digits"

    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .unassigned: true
        default: scalar.properties.isBidiControl
        }
    }
}
