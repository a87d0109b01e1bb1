import Domain
import FoundationEssentials

/// An ID token of OpenID Connect as it was sent: a JWS in its compact form (RFC 7515), taken apart. Nothing in it is
/// believed yet.
package struct IDToken: Sendable {
    /// The key that the header names.
    let keyID: String
    /// The algorithm that the header names. The key says which one is used; the header must agree.
    let algorithm: SigningAlgorithm
    /// The header and the claims as they were sent, which the signature is of.
    let signed: [UInt8]
    let signature: [UInt8]
    /// The claims as JSON. Read them only once the signature is good.
    let payload: [UInt8]

    package init(_ text: String) throws(IdentityRefusal) {
        guard text.utf8.count <= Limits.idTokenBytesMax else { throw .tooLong }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = base64URLDecoded(parts[0]), let payload = base64URLDecoded(parts[1]),
            let signature = base64URLDecoded(parts[2]), header.count <= Limits.idTokenHeaderBytesMax,
            let read = try? JSONDecoder().decode(Header.self, from: Data(header))
        else { throw .malformed }
        // What must be understood is not, as nothing is (RFC 7515, section 4.1.11).
        guard !read.hasCriticalParameters else { throw .critical }
        // An access token or a logout token says so (RFC 8725, section 3.11).
        guard read.type.map({ $0.utf8.count == 3 && $0.lowercased() == "jwt" }) ?? true else { throw .notIDToken }
        guard let algorithm = SigningAlgorithm(rawValue: read.algorithm) else { throw .algorithm }
        guard let keyID = read.keyID, (1...Limits.keyIDBytesMax).contains(keyID.utf8.count) else { throw .unknownKey }
        (self.keyID, self.algorithm, self.signature, self.payload) = (keyID, algorithm, signature, payload)
        signed = Array(bytes.prefix(parts[0].count + 1 + parts[1].count))
    }

    /// What is read of the header. Keys and addresses of keys that it may have are not.
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

/// The algorithms of signatures that are taken. There is none with a shared key, so the text of a public key cannot be
/// taken for one, and none without a signature.
enum SigningAlgorithm: String, Sendable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
}

/// Why an ID token signs nobody in. Clients get one answer for all of them; the log has the reason.
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
    /// The client for which the token was made (`azp`) is none of the game's.
    case party
    case expired
    /// It was made later than now, or is not valid yet.
    case early
    case nonce
    case subject
}
