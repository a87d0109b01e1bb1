package import CoreMetrics
package import Credentials
package import Domain
import FoundationEssentials

/// Verifies ID tokens.
package struct IdentityVerifier: Sendable {
    private let keys: IssuerKeys
    private let meters: SignInMeters

    package init(keys: IssuerKeys, metrics: any MetricsFactory = NOOPMetricsHandler.instance) {
        (self.keys, meters) = (keys, SignInMeters(metrics))
    }

    /// - Parameters:
    ///   - text: The token as the client sent it.
    ///   - provider: The game's provider that the client names.
    ///   - nonce: The device's nonce. The token must contain it.
    /// - Returns: The player as the issuer knows it.
    package func verify(_ text: String, by provider: IdentityProvider, nonce: SignInNonce, now: Instant)
        async throws(IdentityError) -> VerifiedIdentity
    {
        do throws(IdentityError) {
            let identity = try await judge(text, by: provider, nonce: nonce, now: now)
            meters.judged(provider.kind, nil)
            return identity
        } catch {
            meters.judged(provider.kind, error)
            throw error
        }
    }

    private func judge(_ text: String, by provider: IdentityProvider, nonce: SignInNonce, now: Instant)
        async throws(IdentityError) -> VerifiedIdentity
    {
        let issuer: Issuer
        // Stored providers were checked when they were set.
        do throws(FieldError) { issuer = try Issuer(of: provider) } catch { throw .refused(.issuer) }
        let token: IDToken
        do throws(IdentityRefusal) { token = try IDToken(text) } catch { throw .refused(error) }
        let key = try await keys.key(token.keyID, of: issuer.keys)
        do throws(IdentityRefusal) {
            // The sender wrote the header, so it must not choose how a key is used.
            guard key.algorithm == token.algorithm else { throw .algorithm }
            guard key.isGood(token.signature, of: token.signed) else { throw .signature }
            guard let claims = try? JSONDecoder().decode(Claims.self, from: Data(token.payload)) else {
                throw .malformed
            }
            try claims.check(by: issuer, for: provider.audiences, nonce: nonce, now: now)
            return VerifiedIdentity(issuer: issuer.name, subject: claims.subject)
        } catch { throw .refused(error) }
    }
}

/// A player as an issuer knows it.
package struct VerifiedIdentity: Sendable, Hashable {
    /// The issuer's canonical name.
    package let issuer: String
    /// The issuer's id of the player, 1 to 255 bytes.
    package let subject: String
}

extension Secret {
    /// The keyed hash under which an identity is stored.
    package func hash(of identity: VerifiedIdentity, in game: Slug) -> IdentityHash {
        hash(ofIdentity: identity.subject, at: identity.issuer, in: game)
    }
}

/// Why an identity could not be verified.
package enum IdentityError: Error, Sendable, Equatable {
    case refused(IdentityRefusal)
    /// The issuer's keys cannot be fetched now.
    case issuerAway(retryAfterSeconds: Int64)
}
