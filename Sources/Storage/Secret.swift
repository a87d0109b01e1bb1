import Crypto
package import Domain

/// The installation's secret: 32 bytes from which every keyed hash is made. Two servers on one database need the same one, and so does a restore.
package struct Secret: Sendable {
    private let root: SymmetricKey

    /// Nil unless the text is 64 hex digits, with or without a line end.
    package init?(hex: String) {
        let digits = hex.last?.isNewline == true ? hex.dropLast() : Substring(hex)
        guard let bytes = Hex.bytes(digits), bytes.count == 32 else { return nil }
        self.root = SymmetricKey(data: bytes)
    }

    /// 64 hex digits of a new secret.
    package static func generated() -> String {
        var dice = SystemRandomNumberGenerator()
        return Hex.text((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
    }

    /// What the database holds to know this secret again: it tells nothing about it.
    package var fingerprint: [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("causeboard fingerprint".utf8), using: root))
    }

    /// The keyed hash under which a device is stored. A device id means nothing outside its game.
    package func hash(of device: DeviceID, in game: Slug) -> DeviceHash {
        let key = HKDF<SHA256>.deriveKey(inputKeyMaterial: root, info: Array("causeboard device".utf8), outputByteCount: 32)
        return DeviceHash(bytes: Array(HMAC<SHA256>.authenticationCode(for: Array("\(game) \(device.text)".utf8), using: key)))
    }
}

/// A device as the database knows it: 32 bytes.
package struct DeviceHash: Sendable, Hashable {
    let bytes: [UInt8]
}
