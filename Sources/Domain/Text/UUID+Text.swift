package import FoundationEssentials

extension UUID {
    /// Parses 8-4-4-4-12 hexadecimal digits in either case (RFC 9562, section 4); nil for anything else. Foundation's
    /// own parser is slower, because it goes through `sscanf`.
    package init?(text: some StringProtocol) {
        let uuid = text.withBytes { characters -> uuid_t? in
            guard characters.count == 36 else { return nil }
            var uuid = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            let isRead = withUnsafeMutableBytes(of: &uuid) { bytes in
                var place = 0
                for (index, character) in characters.enumerated() {
                    if [8, 13, 18, 23].contains(index) {
                        guard character == UInt8(ascii: "-") else { return false }
                        continue
                    }
                    guard let value = Hex.value(character) else { return false }
                    bytes[place / 2] = bytes[place / 2] << 4 | value
                    place += 1
                }
                return true
            }
            return isRead ? uuid : nil
        }
        guard let uuid else { return nil }
        self.init(uuid: uuid)
    }

    /// The UUID in lower case, as paths and documents show it.
    package var text: String {
        withUnsafeBytes(of: uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { characters in
                var place = 0
                for (index, byte) in bytes.enumerated() {
                    if [4, 6, 8, 10].contains(index) {
                        characters[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    characters[place] = Hex.digit(byte >> 4)
                    characters[place + 1] = Hex.digit(byte & 15)
                    place += 2
                }
                return place
            }
        }
    }
}
