import Crypto
import Domain

/// The key by which the holder of one token signs requests: 32 bytes, printed as `cbs_` and 43 characters of base64url.
///
/// A signature proves that the holder of the token made this very request at that time. It proves nothing of how the
/// points came about: whoever owns the device has the key, too.
package struct SignKey: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var text: String { "cbs_" + String(decoding: base64URLEncoded(bytes), as: UTF8.self) }

    /// Whether a signature is the one of a request by this key. The time that it takes tells nothing about the one that
    /// would be.
    /// - Parameters:
    ///   - target: The path and the query as they were sent.
    ///   - body: The body as it was sent.
    package func made(_ signature: RequestSignature, method: String, target: String, body: UnsafeRawBufferPointer)
        -> Bool
    {
        var hash = SHA256()
        hash.update(bufferPointer: body)
        let digest = hash.finalize().withUnsafeBytes { Hex.text($0) }
        var signed = "v1\n\(method)\n\(target)\n\(signature.seconds)\n\(digest)"
        return signed.withUTF8 { signed in
            HMAC<SHA256>.isValidAuthenticationCode(
                signature.code, authenticating: UnsafeRawBufferPointer(signed), using: SymmetricKey(data: bytes))
        }
    }
}
