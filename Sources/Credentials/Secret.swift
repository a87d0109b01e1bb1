import Crypto
package import Domain

/// The installation's secret: 32 bytes from which all keys for hashing and sealing are derived. Two servers on one
/// database need the same one, and so does a restore.
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

    /// A new secret as 64 hex digits.
    package static func generated() -> String {
        var dice = SystemRandomNumberGenerator()
        return Hex.text((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
    }

    /// What the database holds to recognize this secret; it reveals nothing about it.
    package var fingerprint: [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("causeboard fingerprint".utf8), using: root))
    }

    /// The keyed hash under which a classic device is stored. It includes the game, so a device id means nothing
    /// outside its game.
    package func hash(of device: DeviceID, in game: Slug) -> DeviceHash {
        hash("\(game) \(device.text)", deviceKey)
    }

    /// The keyed hash of a v1 device. It equals the classic one of the same id, so a player who registered through the
    /// classic protocol can continue in v1.
    package func hash(of device: DeviceLabel, in game: Slug) -> DeviceHash {
        hash("\(game) \(device.text)", deviceKey)
    }

    /// The keyed hash of a game's own id of a player. It has a key of its own, so no device id hashes to it.
    package func hash(ofExternal id: DeviceLabel, in game: Slug) -> DeviceHash {
        hash("\(game) \(id.text)", externalKey)
    }

    private func hash(_ text: String, _ key: SymmetricKey) -> DeviceHash {
        DeviceHash(bytes: Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)))
    }
}

extension Secret {
    /// Encrypts and authenticates bytes so that only a holder of the secret can read or make them. Equal contents give
    /// equal bytes, so feeds that show them stay the same byte for byte.
    /// - Returns: Nil when the cipher fails, which it does not for contents of this length.
    package func sealed(_ content: [UInt8]) -> [UInt8]? {
        // The nonce is derived from the content, so different contents do not share one (a synthetic nonce, the idea of
        // RFC 8452).
        let digest = HMAC<SHA256>.authenticationCode(for: content, using: nonceKey)
        guard let nonce = try? AES.GCM.Nonce(data: Array(digest).prefix(12)),
            let box = try? AES.GCM.seal(content, using: sealKey, nonce: nonce).combined
        else { return nil }
        return Array(box)
    }

    /// The content of sealed bytes; nil when this secret did not seal them.
    package func opened(_ sealed: [UInt8]) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed), let content = try? AES.GCM.open(box, using: sealKey)
        else { return nil }
        return Array(content)
    }
}
