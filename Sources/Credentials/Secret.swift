import Crypto
package import Domain

/// The installation's secret: 32 bytes from which all keys for hashing and sealing are derived. Two servers on one
/// database need the same one, and so does a restore.
package struct Secret: Sendable {
    private let root: SymmetricKey
    private let deviceKey: SymmetricKey
    private let externalKey: SymmetricKey
    let codeKey: SymmetricKey
    let deviceNumberKey: SymmetricKey
    private let entryKey: SymmetricKey
    /// It has taken its key in already, which costs as much as a code of a token; each code is made from a copy.
    private let signRoot: HMAC<SHA256>
    private let cursorSeal: Seal
    private let unsubscribingSeal: Seal
    private let consoleSeal: Seal
    let formKey: SymmetricKey
    let signInKey: SymmetricKey
    let identityKey: SymmetricKey
    /// Tells installations apart, and reveals nothing about the secret: 32 hex digits.
    package let installation: String

    /// Nil unless the text is 64 hex digits, with or without a line end.
    package init?(hex: String) {
        let digits = hex.last?.isNewline == true ? hex.dropLast() : Substring(hex)
        guard let bytes = Hex.bytes(digits), bytes.count == 32 else { return nil }
        root = SymmetricKey(data: bytes)
        deviceKey = Self.key("causeboard device", from: root)
        externalKey = Self.key("causeboard external", from: root)
        codeKey = Self.key("causeboard code", from: root)
        deviceNumberKey = Self.key("causeboard device number", from: root)
        entryKey = Self.key("causeboard entry", from: root)
        signRoot = HMAC(key: Self.key("causeboard sign", from: root))
        cursorSeal = Seal("causeboard cursor", from: root)
        unsubscribingSeal = Seal("causeboard unsubscribe", from: root)
        consoleSeal = Seal("causeboard console", from: root)
        formKey = Self.key("causeboard form", from: root)
        signInKey = Self.key("causeboard sign-in", from: root)
        identityKey = Self.key("causeboard identity", from: root)
        let code = HMAC<SHA256>.authenticationCode(for: Array("causeboard installation".utf8), using: root)
        installation = Hex.text(Array(code.prefix(16)))
    }

    fileprivate static func key(_ purpose: String, from root: SymmetricKey) -> SymmetricKey {
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
    package func hash(of device: DeviceID, in game: Slug) -> DeviceHash { hash("\(game) \(device.text)", deviceKey) }

    /// The keyed hash of a v1 device. It equals the classic one of the same id, so a player who registered through the
    /// classic protocol can continue in v1.
    package func hash(of device: DeviceLabel, in game: Slug) -> DeviceHash { hash("\(game) \(device.text)", deviceKey) }

    /// The keyed hash of a game's own id of a player. It has a key of its own, so no device id hashes to it.
    package func hash(ofExternal id: DeviceLabel, in game: Slug) -> DeviceHash {
        hash("\(game) \(id.text)", externalKey)
    }

    /// The key by which the holder of a token signs its requests. It follows from the token, so nothing is stored.
    package func signKey(of token: TokenHash) -> SignKey {
        var code = signRoot
        code.update(data: token.bytes)
        return SignKey(Array(code.finalize()))
    }

    /// An opaque key for an entry of an Atom feed: 16 bytes of a keyed hash, in URL-safe base64.
    package func entryKey(of text: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: entryKey)
        return String(decoding: base64URLEncoded(Array(code.prefix(16))), as: UTF8.self)
    }

    private func hash(_ text: String, _ key: SymmetricKey) -> DeviceHash {
        DeviceHash(bytes: Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)))
    }
}

extension Secret {
    /// What a sealed text is for. Each purpose has keys of its own, so a text of one is none of another.
    package enum SealPurpose: Sendable {
        /// The edge of a page.
        case cursor
        /// A player's link to end updates by e-mail.
        case unsubscribing
        /// The cookie of the console.
        case console
    }

    /// Encrypts and authenticates bytes so that only a holder of the secret can read or make them. Equal contents give
    /// equal texts, so feeds that show them stay the same byte for byte.
    /// - Parameter content: At most 255 bytes.
    /// - Returns: URL-safe base64 without padding (RFC 4648, section 5). Nil when the cipher fails, which it does not
    ///   for contents of this length.
    package func sealed(_ content: [UInt8], for purpose: SealPurpose) -> String? {
        seal(purpose).sealed(content).map { String(decoding: base64URLEncoded($0), as: UTF8.self) }
    }

    /// The content of a sealed text; nil when this secret did not seal it for this purpose, and for another spelling of
    /// one that it did.
    package func opened(_ text: String, for purpose: SealPurpose) -> [UInt8]? {
        guard text.utf8.count <= Self.sealedTextBytesMax, let sealed = base64URLDecoded(text.utf8) else { return nil }
        return seal(purpose).opened(sealed)
    }

    /// A nonce of 12 bytes, 255 bytes and a tag of 16 in base64.
    private static let sealedTextBytesMax = 378

    private func seal(_ purpose: SealPurpose) -> Seal {
        switch purpose {
        case .cursor: cursorSeal
        case .unsubscribing: unsubscribingSeal
        case .console: consoleSeal
        }
    }
}

/// The keys that seal for one purpose.
private struct Seal: Sendable {
    private let key: SymmetricKey
    private let nonceKey: SymmetricKey

    init(_ purpose: String, from root: SymmetricKey) {
        key = Secret.key(purpose, from: root)
        nonceKey = Secret.key("\(purpose) nonce", from: root)
    }

    func sealed(_ content: [UInt8]) -> [UInt8]? {
        // The nonce is derived from the content, so different contents do not share one (a synthetic nonce, the idea of
        // RFC 8452).
        let digest = HMAC<SHA256>.authenticationCode(for: content, using: nonceKey)
        guard let nonce = try? AES.GCM.Nonce(data: Array(digest).prefix(12)),
            let box = try? AES.GCM.seal(content, using: key, nonce: nonce).combined
        else { return nil }
        return Array(box)
    }

    func opened(_ sealed: [UInt8]) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed), let content = try? AES.GCM.open(box, using: key)
        else { return nil }
        return Array(content)
    }
}

extension Secret {
    /// The text of a link that ends a player's updates, for as long as this installation keeps its secret. It works
    /// without any sign-in, as mail programs follow it for their users (RFC 8058), and is good for nothing else.
    package func unsubscribing(_ player: Player.ID) -> String? {
        sealed(Array(String(player.rawValue).utf8), for: .unsubscribing)
    }

    /// The player whose updates a link ends; nil for a text that this secret did not make.
    package func player(unsubscribing text: String) -> Player.ID? {
        opened(text, for: .unsubscribing).flatMap { Player.ID(digits: Substring(decoding: $0, as: UTF8.self)) }
    }
}
