/// What a classic client calls its device: 1 to 64 characters. It is stored only as a keyed hash and shown nowhere.
package struct DeviceID: Sendable, Hashable {
    package let text: String

    package init(_ text: String, field: String) throws(FieldError) {
        guard !text.isEmpty, text.count <= Limits.deviceCharactersMax, text.utf8.count <= Limits.deviceCharactersMax * 4,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw FieldError(
                field, "The device id is 1 to \(Limits.deviceCharactersMax) characters without controls. Send the device's own.")
        }
        self.text = text
    }
}
