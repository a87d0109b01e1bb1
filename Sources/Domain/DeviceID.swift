/// What a classic client calls its device: 1 to 64 characters. It is stored only as a keyed hash and shown nowhere.
package struct DeviceID: Sendable, Hashable {
    package let text: String

    package init(_ text: String, field: String) throws(FieldError) {
        guard !text.isEmpty, Self.isShort(text) else {
            throw FieldError(
                field, "The device id is 1 to \(Limits.deviceCharactersMax) characters without controls. Send the device's own.")
        }
        self.text = text
    }

    /// The bound of an id that somebody else made: characters as a person counts them, bytes, and no controls.
    static func isShort(_ text: String) -> Bool {
        text.utf8.count <= Limits.deviceCharactersMax * 4 && text.count <= Limits.deviceCharactersMax
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
