/// A plausible e-mail address: something before and after its last `@`, no spaces, no controls. Only sending mail would
/// tell whether it works.
package struct EmailAddress: Sendable, Hashable {
    package let text: String

    package init(_ text: String, field: String) throws(FieldError) {
        guard text.utf8.count <= Limits.emailBytesMax else {
            throw FieldError(
                field,
                "The e-mail address is longer than \(Limits.emailBytesMax) bytes. Send a shorter one."
            )
        }
        guard let at = text.lastIndex(of: "@"), at > text.startIndex, text.index(after: at) < text.endIndex,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && !$0.properties.isWhitespace })
        else { throw FieldError(field, "The e-mail address is none. Send it like name@example.org, or leave it out.") }
        self.text = text
    }
}

/// A two-letter country code (ISO 3166-1) in upper case. It is not checked against the list of countries, which changes
/// more often than servers are updated.
package struct CountryCode: Sendable, Hashable {
    package let text: String

    package init(_ text: String, field: String) throws(FieldError) {
        guard text.utf8.count == 2,
            text.utf8.allSatisfy({
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & 0xDF) && $0 >= UInt8(ascii: "A")
            })
        else {
            throw FieldError(field, "\(field) is no country. Send two letters such as NZ (ISO 3166), or leave it out.")
        }
        self.text = text.uppercased()
    }
}

/// The Facebook account that a client of 2009 sends for its player; empty means none. It is shown only in the player's
/// own export.
package struct FacebookID: Sendable, Hashable {
    package let text: String

    package init(_ text: String, field: String) throws(FieldError) {
        guard DeviceID.isShort(text) else {
            throw FieldError(
                field,
                "\(field) is longer than \(Limits.deviceCharactersMax) characters or holds a control. Send the id only."
            )
        }
        self.text = text
    }
}
