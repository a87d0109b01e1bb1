import Contract
import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// Who this device is to one game of one server. Whoever has it speaks for the player.
struct Identity: Codable, Sendable, Equatable {
    /// What the device calls itself: a random label, never a credential.
    var device: String
    var token: String
    /// A token that was made to take the place of ``token``, and of which no answer has said that it did.
    var nextToken: String?
    /// The key by which the token's holder signs, as the server printed it.
    var signKey: String?
    /// The player's name as this device knows it.
    var name: String
    /// The same, when the player asked for it here and the server has not answered yet.
    var pendingName: String?
    /// The name by which this device signed in before, whatever the player is called by now.
    var askedName: String?
    /// Set once the server has answered a registration.
    var player: Player?

    init(name: String) {
        device = Self.makeLabel()
        token = Self.makeToken()
        self.name = name
    }

    static func makeLabel() -> String { UUID().uuidString.lowercased() }

    /// 32 random bytes from the system's generator, as `cbd_` and base64url.
    static func makeToken() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return "cbd_" + Base64URL.text(Data(bytes))
    }
}

/// Base64 with `-` and `_` and without padding (RFC 4648, 5).
enum Base64URL {
    static func text(_ data: Data) -> String {
        String(
            data.base64EncodedString().compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    static func data(_ text: some StringProtocol) -> Data? {
        let plain = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return Data(base64Encoded: String(plain) + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }
}

/// Signs requests by the key of a token's holder.
struct RequestSigner: Sendable {
    private let key: SymmetricKey

    /// Nil unless the text is `cbs_` and 32 bytes in base64url.
    init?(_ signKey: String) {
        guard signKey.hasPrefix("cbs_"), let bytes = Base64URL.data(signKey.dropFirst(4)), bytes.count == 32 else {
            return nil
        }
        key = SymmetricKey(data: bytes)
    }

    /// The value of the header `Causeboard-Signature`.
    /// - Parameter seconds: When it is made by the server's clock, since 1970.
    func signature(of call: Call, seconds: Int64) -> String {
        let digest = Hex.text(SHA256.hash(data: call.body ?? Data()))
        let text = "v1\n\(call.method)\n\(call.target)\n\(seconds)\n\(digest)"
        return "t=\(seconds),v1=" + Hex.text(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }
}

enum Hex {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
