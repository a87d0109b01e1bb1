/// What a 2009 client calls its player's Facebook account; empty means none. It is shown nowhere but in the owner's export.
package struct FacebookID: Sendable, Hashable {
    package let text: String

    package init(_ text: String, field: String) throws(FieldError) {
        guard DeviceID.isShort(text) else {
            throw FieldError(
                field, "\(field) is longer than \(Limits.deviceCharactersMax) characters or holds a control. Send the id only.")
        }
        self.text = text
    }
}
