import Domain
import FoundationEssentials

/// A parsed OpenID Connect ID token: a JWS in compact form (RFC 7515). Nothing in it is verified yet.
package struct IDToken: Sendable {
    /// The key that the header names.
    let keyID: String
    /// The algorithm that the header names. The key decides the algorithm; the header must match it.
    let algorithm: SigningAlgorithm
    /// The header and the claims as they were sent: the signed bytes.
    let signed: [UInt8]
    let signature: [UInt8]
    /// The claims as JSON. Read them only after the signature is verified.
    let payload: [UInt8]

    package init(_ text: String) throws(IdentityRefusal) {
        guard text.utf8.count <= Limits.idTokenBytesMax else { throw .tooLong }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = base64URLDecoded(parts[0]), let payload = base64URLDecoded(parts[1]),
            let signature = base64URLDecoded(parts[2]), header.count <= Limits.idTokenHeaderBytesMax,
            let read = try? JSONDecoder().decode(Header.self, from: Data(header))
        else { throw .malformed }
        // No extension is supported, so a token with `crit` is refused (RFC 7515, section 4.1.11).
        guard !read.hasCriticalParameters else { throw .critical }
        // Access tokens and logout tokens have another `typ` (RFC 8725, section 3.11).
        guard read.type.map({ $0.utf8.count == 3 && $0.lowercased() == "jwt" }) ?? true else { throw .notIDToken }
        guard let algorithm = SigningAlgorithm(rawValue: read.algorithm) else { throw .algorithm }
        guard let keyID = read.keyID, (1...Limits.keyIDBytesMax).contains(keyID.utf8.count) else { throw .unknownKey }
        (self.keyID, self.algorithm, self.signature, self.payload) = (keyID, algorithm, signature, payload)
        signed = Array(bytes.prefix(parts[0].count + 1 + parts[1].count))
    }

    /// The members of the header that are read. Keys and key addresses in it are ignored.
    private struct Header: Decodable {
        let algorithm: String
        let keyID: String?
        let type: String?
        let hasCriticalParameters: Bool

        private enum CodingKeys: String, CodingKey {
            case algorithm = "alg"
            case keyID = "kid"
            case type = "typ"
            case critical = "crit"
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            algorithm = try members.decode(String.self, forKey: .algorithm)
            keyID = try members.decodeIfPresent(String.self, forKey: .keyID)
            type = try members.decodeIfPresent(String.self, forKey: .type)
            hasCriticalParameters = members.contains(.critical)
        }
    }
}

/// The accepted signature algorithms. None has a shared key, so a public key cannot be misused as one, and none is
/// unsigned.
enum SigningAlgorithm: String, Sendable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
}

/// Why an ID token is refused. Clients get the same answer for all reasons; the log has the reason.
package enum IdentityRefusal: String, Error, Sendable, CaseIterable {
    case tooLong = "too-long"
    case malformed
    case critical
    case notIDToken = "not-id-token"
    case algorithm
    case unknownKey = "unknown-key"
    case signature
    case issuer
    case audience
    /// The client of the token (`azp`) is missing or not one of the game's.
    case party
    case expired
    /// It was issued in the future, or is not valid yet.
    case early
    case nonce
    case subject
}
