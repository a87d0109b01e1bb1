import Crypto
package import Domain

/// The installation's secret: 32 bytes from which every keyed hash is made. Two servers on one database need the same one, and so does a restore.
package struct Secret: Sendable {
    private let root: SymmetricKey
    private let deviceKey: SymmetricKey
    private let externalKey: SymmetricKey
    let sealKey: SymmetricKey
    let nonceKey: SymmetricKey

    /// Nil unless the text is 64 hex digits, with or without a line end.
    package init?(hex: String) {
        let digits = hex.last?.isNewline == true ? hex.dropLast() : Substring(hex)
        guard let bytes = Hex.bytes(digits), bytes.count == 32 else { return nil }
        root = SymmetricKey(data: bytes)
        deviceKey = Self.key("causeboard device", from: root)
        externalKey = Self.key("causeboard external", from: root)
        sealKey = Self.key("causeboard cursor", from: root)
        nonceKey = Self.key("causeboard cursor nonce", from: root)
    }

    private static func key(_ purpose: String, from root: SymmetricKey) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: root, info: Array(purpose.utf8), outputByteCount: 32)
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
        hash("\(game) \(device.text)", deviceKey)
    }

    /// The same for v1: so a player whom the classic protocol registered can go on there.
    package func hash(of device: DeviceLabel, in game: Slug) -> DeviceHash {
        hash("\(game) \(device.text)", deviceKey)
    }

    /// The same for a game's own id of a player: no device can be called so that it hashes alike.
    package func hash(ofExternal id: DeviceLabel, in game: Slug) -> DeviceHash {
        hash("\(game) \(id.text)", externalKey)
    }

    private func hash(_ text: String, _ key: SymmetricKey) -> DeviceHash {
        DeviceHash(bytes: Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)))
    }
}
