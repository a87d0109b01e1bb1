import Crypto
package import Domain

/// The installation's secret: 32 bytes from which every keyed hash is made. Two servers on one database need the same
/// one, and so does a restore.
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

extension Secret {
    /// Bytes that only who has the secret can read or make, the same ones for the same content: feeds that show them
    /// keep their bytes.
    /// - Returns: Nil when the cipher fails, which it does not for contents of this length.
    package func sealed(_ content: [UInt8]) -> [UInt8]? {
        // A nonce made from the content is never used for another content (synthetic, the idea of RFC 8452).
        let digest = HMAC<SHA256>.authenticationCode(for: content, using: nonceKey)
        guard let nonce = try? AES.GCM.Nonce(data: Array(digest).prefix(12)),
            let box = try? AES.GCM.seal(content, using: sealKey, nonce: nonce).combined
        else { return nil }
        return Array(box)
    }

    /// - Returns: Nil when this secret did not seal them.
    package func opened(_ sealed: [UInt8]) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed), let content = try? AES.GCM.open(box, using: sealKey)
        else { return nil }
        return Array(content)
    }
}
