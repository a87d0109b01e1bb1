/// An e-mail address that could be one: something before and after its last `@`, no spaces, no controls. Whether it takes mail only mail can tell.
package struct EmailAddress: Sendable, Hashable {
    package let text: String

    package init(_ text: String, field: String) throws(FieldError) {
        guard text.utf8.count <= Limits.emailBytesMax else {
            throw FieldError(field, "The e-mail address is longer than \(Limits.emailBytesMax) bytes. Send a shorter one.")
        }
        guard let at = text.lastIndex(of: "@"), at > text.startIndex, text.index(after: at) < text.endIndex,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control && !$0.properties.isWhitespace })
        else { throw FieldError(field, "The e-mail address is none. Send it like name@example.org, or leave it out.") }
        self.text = text
    }
}
