/// A device id as a classic client sends it: 1 to 64 characters. It is stored only as a keyed hash and never shown.
package struct DeviceID: Sendable, Hashable {
    package let text: String

    package init(_ text: String, field: String) throws(FieldError) {
        guard !text.isEmpty, Self.isShort(text) else {
            throw FieldError(
                field,
                "The device id is 1 to \(Limits.deviceCharactersMax) characters without controls. "
                    + "Send the device's own.")
        }
        self.text = text
    }

    /// Whether an id that is not ours keeps its limits: grapheme clusters, UTF-8 bytes, and no controls.
    static func isShort(_ text: String) -> Bool {
        text.utf8.count <= Limits.deviceCharactersMax * 4 && text.count <= Limits.deviceCharactersMax
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

/// A device id of a v1 client, or a game's own id of a player: a label, never a credential. It is stored only as a
/// keyed hash and never shown.
package struct DeviceLabel: Sendable, Hashable {
    package let text: String

    /// - Parameter field: The name of the field that carried it, for the error.
    package init(_ text: String, field: String) throws(FieldError) {
        guard (1...Limits.deviceCharactersMax).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed),
            text != ".", text != ".."
        else {
            throw FieldError(
                field,
                "The id is 1 to \(Limits.deviceCharactersMax) of A-Z, a-z, 0-9 and . _ : { } -. "
                    + "Send one such as a UUID.")
        }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"),
            UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
