import Credentials
import Domain
import FoundationEssentials

/// The claims of an ID token. Names, addresses and all other claims are ignored.
struct Claims: Decodable {
    let issuer: String
    let subject: String
    let audiences: [String]
    /// The client for which the token was made.
    let party: String?
    /// Seconds since 1970, perhaps with a fraction.
    let expiresAt: Double
    let issuedAt: Double
    let validFrom: Double?
    let nonce: String?

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case party = "azp"
        case expiresAt = "exp"
        case issuedAt = "iat"
        case validFrom = "nbf"
        case nonce
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        issuer = try members.decode(String.self, forKey: .issuer)
        subject = try members.decode(String.self, forKey: .subject)
        if let audience = try? members.decode(String.self, forKey: .audience) {
            audiences = [audience]
        } else {
            audiences = try members.decode([String].self, forKey: .audience)
        }
        party = try members.decodeIfPresent(String.self, forKey: .party)
        expiresAt = try members.decode(Double.self, forKey: .expiresAt)
        issuedAt = try members.decode(Double.self, forKey: .issuedAt)
        validFrom = try members.decodeIfPresent(Double.self, forKey: .validFrom)
        nonce = try members.decodeIfPresent(String.self, forKey: .nonce)
    }

    /// - Throws: Unless the claims are valid now, for this game and for the nonce's device.
    func check(by issuer: Issuer, for audiences: [String], nonce: SignInNonce, now: Instant) throws(IdentityRefusal) {
        guard issuer.isNamed(by: self.issuer) else { throw .issuer }
        try checkAudience(by: issuer, for: audiences)
        let skew = Double(Limits.clockSkewSeconds)
        let second = Double(now.microsecondsSince1970) / 1_000_000
        guard expiresAt > second - skew else { throw .expired }
        guard issuedAt <= second + skew, (validFrom ?? issuedAt) <= second + skew else { throw .early }
        guard let named = self.nonce, nonce.isNamed(by: named) else { throw .nonce }
        guard (1...Limits.subjectBytesMax).contains(subject.utf8.count) else { throw .subject }
    }

    /// Every audience must be one of the game's. With several, `azp` must name the client (OpenID Connect Core, section
    /// 3.1.3.7).
    private func checkAudience(by issuer: Issuer, for audiences: [String]) throws(IdentityRefusal) {
        guard (1...Limits.audiencesMax).contains(self.audiences.count),
            self.audiences.allSatisfy({ audience in audiences.contains { isEqual($0, audience) } })
        else { throw .audience }
        guard let party else {
            if self.audiences.count > 1 { throw .party }
            return
        }
        if self.audiences.count == 1, issuer.namesOwnAppsAsParty { return }
        guard audiences.contains(where: { isEqual($0, party) }) else { throw .party }
    }
}

/// Compares bytes, because Swift's `==` ignores differences in Unicode normalization.
private func isEqual(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

extension Issuer { fileprivate func isNamed(by claim: String) -> Bool { spellings.contains { isEqual($0, claim) } } }
