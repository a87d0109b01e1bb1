import Foundation

/// A name that every feed can show: NFC, within its limits, and without what a person cannot see or what turns a page around.
package struct PlayerName: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// - Parameters:
    ///   - text: As it was sent; brought to NFC.
    ///   - field: What the sender calls it.
    /// - Throws: The sentence that says what to change.
    package init(_ text: String, field: String) throws(FieldError) {
        // Limits are looked at before the work that grows with the length.
        guard text.utf8.count <= Limits.nameBytesMax * 4 else { throw FieldError(field, Self.tooLong) }
        let name = text.precomposedStringWithCanonicalMapping
        guard !name.isEmpty else { throw FieldError(field, "The name is empty. Send 1 to \(Limits.nameCharactersMax) characters.") }
        guard name.utf8.count <= Limits.nameBytesMax, name.unicodeScalars.count <= Limits.nameCodePointsMax, name.count <= Limits.nameCharactersMax
        else { throw FieldError(field, Self.tooLong) }
        try Self.checkScalars(name, field: field)
        guard !NameSkeleton.reserved.contains(NameSkeleton(of: name)) else {
            throw FieldError(field, kind: .nameRefused, "The name looks like one that is reserved. Choose another one.")
        }
        self.description = name
    }

    /// What it looks like; never that of a charity's name.
    package var skeleton: NameSkeleton { NameSkeleton(of: description) }

    private static let tooLong = "The name is too long. Send at most \(Limits.nameCharactersMax) characters."

    private static func checkScalars(_ name: String, field: String) throws(FieldError) {
        var marksInARow = 0
        var visible = false
        var tagged = TagSequence()
        for scalar in name.unicodeScalars {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .control:
                throw FieldError(field, "The name holds a control character. Take it out.")
            case .lineSeparator, .paragraphSeparator:
                throw FieldError(field, "The name holds a line or paragraph separator. Take it out.")
            case .nonspacingMark, .spacingMark, .enclosingMark:
                marksInARow += 1
                guard marksInARow <= Limits.nameMarksInARowMax else {
                    throw FieldError(field, "The name piles up more than \(Limits.nameMarksInARowMax) combining marks. Take some off.")
                }
            default:
                marksInARow = 0
            }
            if properties.isNoncharacterCodePoint { throw FieldError(field, "The name holds a code point that is no character. Take it out.") }
            if properties.isBidiControl { throw FieldError(field, "The name holds a control of writing direction. Take it out.") }
            guard tagged.takes(scalar) else { throw FieldError(field, "The name holds tag characters outside an emoji flag. Take them out.") }
            if !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint, properties.generalCategory != .format,
                scalar != "\u{2800}"  // the blank Braille pattern: a symbol that shows nothing
            {
                visible = true
            }
        }
        guard tagged.isComplete else { throw FieldError(field, "The name holds tag characters outside an emoji flag. Take them out.") }
        guard visible else { throw FieldError(field, "The name shows nothing. Add a visible character.") }
    }
}

/// Follows tag characters (U+E0020...U+E007F) through a text: they are good only as a flag, after U+1F3F4 and up to U+E007F (UTS #51, section 1.4.9).
private struct TagSequence {
    private enum State { case outside, afterFlag, inTags }
    private var state = State.outside

    var isComplete: Bool { state != .inTags }

    mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE0020...0xE007E:
            guard state != .outside else { return false }
            state = .inTags
        case 0xE007F:
            guard state == .inTags else { return false }
            state = .outside
        case 0xE0000...0xE001F:
            return false
        default:
            guard state != .inTags else { return false }
            state = scalar.value == 0x1F3F4 ? .afterFlag : .outside
        }
        return true
    }
}
