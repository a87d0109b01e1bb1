/// A player's name that every feed can show: in the one form of names (`nameForm`), within the limits, visible, of
/// known characters, and without controls of writing direction. Characters for private use, by which phones of 2009
/// sent emoji, may stand beside visible ones.
package struct PlayerName: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// - Parameters:
    ///   - text: The name as it was sent.
    ///   - field: The name of the field that carried it, for the error.
    /// - Throws: A sentence that says what to change.
    package init(_ text: String, field: String) throws(FieldError) {
        // Cheap limits come before the work that grows with the square of the length. A code point of a normalized name
        // has at most four when it is decomposed, such as U+1F82 (Unicode, UAX #15, table 5).
        guard text.utf8.count <= Limits.nameBytesMax * 4, text.unicodeScalars.count <= Limits.nameCodePointsMax * 4
        else { throw FieldError(field, Self.tooLong) }
        let name = text.nameForm
        guard !text.isEmpty else {
            throw FieldError(field, "The name is empty. Send 1 to \(Limits.nameCharactersMax) characters.")
        }
        guard name.utf8.count <= Limits.nameBytesMax, name.unicodeScalars.count <= Limits.nameCodePointsMax,
            name.count <= Limits.nameCharactersMax
        else { throw FieldError(field, Self.tooLong) }
        guard !name.isEmpty else { throw FieldError(field, Self.showsNothing) }
        try Self.checkScalars(name, field: field)
        guard !NameSkeleton.reserved.contains(NameSkeleton(of: name)) else {
            throw FieldError(field, kind: .nameRefused, "The name looks like one that is reserved. Choose another one.")
        }
        self.description = name
    }

    /// The reduced form of the name; no player's name may share it with a charity's name.
    package var skeleton: NameSkeleton { NameSkeleton(of: description) }

    /// The reduced form of what the name says in leet spelling; none of a game's refused words may be in either form.
    package var leetSkeleton: NameSkeleton { NameSkeleton(leet: description) }

    private static let tooLong = "The name is too long. Send at most \(Limits.nameCharactersMax) characters."

    private static let showsNothing = "The name shows nothing, or boxes only. Add a character that all screens show."

    private static func checkScalars(_ name: String, field: String) throws(FieldError) {
        var marksInARow = 0
        var visible = false
        var tagged = TagSequence()
        for scalar in name.unicodeScalars {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .control: throw FieldError(field, "The name holds a control character. Take it out.")
            case .lineSeparator, .paragraphSeparator:
                throw FieldError(field, "The name holds a line or paragraph separator. Take it out.")
            case .nonspacingMark, .spacingMark, .enclosingMark:
                marksInARow += 1
                guard marksInARow <= Limits.nameMarksInARowMax else {
                    throw FieldError(
                        field,
                        "The name piles up more than \(Limits.nameMarksInARowMax) combining marks. Take some off.")
                }
            case .format: break  // a joiner is invisible, so the marks before and after it count as one run
            default: marksInARow = 0
            }
            // A later Unicode may make anything of it, also a mark that a name in NFC has elsewhere (RFC 8264, 9.10).
            if scalar.isUnassigned {
                throw FieldError(
                    field,
                    "The name holds a code point that is no character, or one too new for the server. Take it out.")
            }
            if properties.isBidiControl {
                throw FieldError(field, "The name holds a control of writing direction. Take it out.")
            }
            guard tagged.takes(scalar) else {
                throw FieldError(field, "The name holds tag characters outside an emoji flag. Take them out.")
            }
            if !scalar.showsNothing { visible = true }
        }
        guard tagged.isComplete else {
            throw FieldError(field, "The name holds tag characters outside an emoji flag. Take them out.")
        }
        guard visible else { throw FieldError(field, Self.showsNothing) }
    }
}

/// Checks the tag characters (U+E0000...U+E007F) of a text. They are allowed only as the subdivision of a flag: after
/// U+1F3F4, 3 to 7 digits and lower-case letters, then U+E007F (UTS #51, annex C.1; the length is that of CLDR's
/// subdivision ids). Anywhere else they could carry hidden text.
private struct TagSequence {
    private enum State: Equatable { case outside, afterFlag, inTags(count: Int) }
    private var state = State.outside

    var isComplete: Bool { if case .inTags = state { false } else { true } }

    mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        switch (scalar.value, state) {
        case (0xE0030...0xE0039, .afterFlag), (0xE0061...0xE007A, .afterFlag): state = .inTags(count: 1)
        case (0xE0030...0xE0039, .inTags(let count)), (0xE0061...0xE007A, .inTags(let count)):
            guard count < 7 else { return false }
            state = .inTags(count: count + 1)
        case (0xE007F, .inTags(let count)):
            guard count >= 3 else { return false }
            state = .outside
        case (0xE0000...0xE007F, _), (_, .inTags): return false
        default: state = scalar.value == 0x1F3F4 ? .afterFlag : .outside
        }
        return true
    }
}
