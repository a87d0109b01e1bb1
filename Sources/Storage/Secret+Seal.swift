import Crypto

extension Secret {
    /// Bytes that only who has the secret can read or make, the same ones for the same content: feeds that show them keep their bytes.
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
        guard let box = try? AES.GCM.SealedBox(combined: sealed), let content = try? AES.GCM.open(box, using: sealKey) else { return nil }
        return Array(content)
    }
}
