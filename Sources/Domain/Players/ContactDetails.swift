/// One plausible e-mail address: something before and after its only `@`. Whether it works, only mail would tell.
/// It has none of the characters that make a list of addresses, a name with an address or a comment (RFC 5322, section
/// 3.2.3), so mail to it goes to one place, and none that nobody sees. No label of its domain is empty; the part before
/// the `@` may have dots anywhere, because phone companies gave out such addresses.
package struct EmailAddress: Sendable, Hashable {
    package let text: String

    package init(_ text: String, field: String) throws(FieldError) {
        guard text.utf8.count <= Limits.emailBytesMax else {
            throw FieldError(
                field, "The e-mail address is longer than \(Limits.emailBytesMax) bytes. Send a shorter one.")
        }
        let sides = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[0].isEmpty, text.unicodeScalars.allSatisfy(Self.isPlain),
            sides[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
        else {
            throw FieldError(
                field, "The e-mail address is not a single one. Send it like name@example.org, or leave it out.")
        }
        self.text = text
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        guard !"()<>[]:;\\,\"".unicodeScalars.contains(scalar), !properties.isWhitespace,
            !properties.isDefaultIgnorableCodePoint
        else { return false }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return false
        default: return true
        }
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
