/// An e-mail address that could be one: something before and after its last `@`, no spaces, no controls. Whether it
/// takes mail only mail can tell.
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

/// A country in two letters (ISO 3166-1), upper case. Whether there is such a country changes faster than servers do,
/// so it is not looked up.
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

/// What a 2009 client calls its player's Facebook account; empty means none. It is shown nowhere but in the owner's
/// export.
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
