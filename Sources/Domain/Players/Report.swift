/// What a player reports of another.
package struct Report: Sendable, Equatable {
    /// What is wrong, in the words of the contract.
    package enum Reason: String, Sendable, CaseIterable { case name, picture, cheating, other }

    package let reason: Reason
    package let words: ReportWords?

    package init(_ reason: Reason, _ words: ReportWords? = nil) {
        self.reason = reason
        self.words = words
    }
}

/// What a player says in its own words, in NFC, for the operators to read.
package struct ReportWords: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// - Parameters:
    ///   - text: 1 to ``Limits/reportCharactersMax`` characters.
    ///   - field: The name of the field that carried it, for the error.
    package init(_ text: String, field: String) throws(FieldError) {
        let words = text.utf8.count <= Limits.reportBytesMax ? text.nfc : ""
        guard (1...Limits.reportBytesMax).contains(words.utf8.count), words.count <= Limits.reportCharactersMax else {
            throw FieldError(field, "\(field) is 1 to \(Limits.reportCharactersMax) characters. Send fewer, or none.")
        }
        guard words.unicodeScalars.allSatisfy(Self.isAllowed) else {
            throw FieldError(field, "\(field) holds a control character. Take it out; line feeds and tabs may stay.")
        }
        description = words
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\r", "\t": true
        default:
            scalar.properties.generalCategory != .control && !scalar.properties.isBidiControl
                && !scalar.properties.isNoncharacterCodePoint
        }
    }
}
