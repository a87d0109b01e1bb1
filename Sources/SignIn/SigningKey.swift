import Crypto
import CryptoExtras
import Domain
import FoundationEssentials

/// A public key of an issuer, for one algorithm.
struct SigningKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey, modulusBytes: Int)
        case p256(P256.Signing.PublicKey)
    }

    private let material: Material

    var algorithm: SigningAlgorithm {
        switch material {
        case .rsa: .rs256
        case .p256: .es256
        }
    }

    func isGood(_ signature: [UInt8], of signed: [UInt8]) -> Bool {
        let digest = SHA256.hash(data: signed)
        switch material {
        case .rsa(let key, let modulusBytes):
            guard signature.count == modulusBytes else { return false }
            // RS256 uses this padding. It is insecure for encryption only.
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: Data(signature)), for: digest, padding: .insecurePKCS1v1_5)
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: digest)
        }
    }

    /// - Returns: Nil if the key has another type or use, is too weak or too large, or is not on its curve.
    fileprivate init?(_ key: WebKey) {
        guard key.use.map({ $0 == "sig" }) ?? true, key.operations?.contains("verify") ?? true else { return nil }
        switch (key.type, key.algorithm) {
        case ("RSA", "RS256"), ("RSA", nil):
            guard let modulus = key.bytes(key.modulus), Limits.rsaModulusBytes.contains(modulus.count),
                modulus.first != 0, let exponent = key.bytes(key.exponent),
                (1...Limits.rsaExponentBytesMax).contains(exponent.count),
                // An exponent of 1 would make every signature valid.
                exponent.first != 0, exponent != [1], exponent.last.map({ $0 & 1 == 1 }) == true,
                let made = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
            else { return nil }
            material = .rsa(made, modulusBytes: modulus.count)
        case ("EC", "ES256"), ("EC", nil):
            guard key.curve == "P-256", let x = key.bytes(key.x), let y = key.bytes(key.y), x.count == 32,
                y.count == 32, let made = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { return nil }
            material = .p256(made)
        default: return nil
        }
    }
}

/// The current keys of an issuer, by key id: a JWK Set (RFC 7517).
struct KeySet: Sendable {
    private let keys: [String: SigningKey]

    /// Parses a document. It skips unusable keys, because issuers also publish keys of other kinds.
    /// - Throws: If the document is no JWK Set, has more than ``Limits/keysOfIssuerMax`` keys, no usable one, or two
    ///   usable ones with one id.
    init(_ document: [UInt8]) throws(KeySetError) {
        guard let read = try? JSONDecoder().decode(Document.self, from: Data(document)) else { throw .malformed }
        guard read.keys.count <= Limits.keysOfIssuerMax else { throw .tooMany }
        var keys: [String: SigningKey] = [:]
        for case let webKey? in read.keys.map(\.key) {
            guard let id = webKey.id, (1...Limits.keyIDBytesMax).contains(id.utf8.count), let key = SigningKey(webKey)
            else { continue }
            guard keys.updateValue(key, forKey: id) == nil else { throw .twice }
        }
        guard !keys.isEmpty else { throw .empty }
        self.keys = keys
    }

    subscript(id: String) -> SigningKey? { keys[id] }

    private struct Document: Decodable { let keys: [PerhapsKey] }

    /// A key, or nil if it cannot be decoded.
    private struct PerhapsKey: Decodable {
        let key: WebKey?

        init(from decoder: any Decoder) throws { key = try? WebKey(from: decoder) }
    }
}

/// Why a document is not a usable JWK Set.
enum KeySetError: String, Error {
    case malformed
    case tooMany = "too-many"
    case empty
    case twice
}

/// The members of a JWK that are read (RFC 7518, section 6).
private struct WebKey: Decodable {
    let type: String
    let id: String?
    let use: String?
    let operations: [String]?
    let algorithm: String?
    let modulus: String?
    let exponent: String?
    let curve: String?
    let x: String?
    let y: String?

    private enum CodingKeys: String, CodingKey {
        case type = "kty"
        case id = "kid"
        case use
        case operations = "key_ops"
        case algorithm = "alg"
        case modulus = "n"
        case exponent = "e"
        case curve = "crv"
        case x
        case y
    }

    func bytes(_ text: String?) -> [UInt8]? { text.flatMap { base64URLDecoded($0.utf8) } }
}
