import enum Contract.Keys
import enum Contract.ProblemName
import Credentials
import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import Logging
import SignIn
import Storage

/// Reads a player's identity from a request and verifies it with the provider's keys.
final class IdentityReader: Sendable {
    let store: Store
    let secret: Secret
    let clock: ServerClock
    let verifier: IdentityVerifier
    let rates: RequestRates
    let log: RateLimitedLog

    init(
        store: Store, secret: Secret, clock: ServerClock, verifier: IdentityVerifier, rates: RequestRates,
        log: RateLimitedLog
    ) {
        (self.store, self.secret, self.clock) = (store, secret, clock)
        (self.verifier, self.rates, self.log) = (verifier, rates, log)
    }

    /// A verified identity.
    struct Identity {
        let hash: IdentityHash
        /// The provider that verified it.
        let provider: Slug
    }

    /// Reads and verifies the field `identity` of a registration; nil if it is absent.
    /// - Parameter token: The device's token, for which the nonce was made; nil if the device sent none.
    func read(_ fields: Fields, of request: Request, in game: Slug, token: TokenHash?) async throws -> Identity? {
        let field = Keys.DeviceRegistration.identity.rawValue
        guard let proof = try fields.object(field) else { return nil }
        guard let token else {
            throw FieldError(field, "identity needs the device's token. Send the token for which the nonce was made.")
        }
        guard fields.presence(of: Keys.DeviceRegistration.code.rawValue) != .value else {
            throw FieldError(field, "code and identity exclude each other. Send one of them.")
        }
        guard let slug = try proof.text(Keys.IdentityProof.provider.rawValue), let provider = Slug(slug) else {
            throw FieldError("provider", "provider is missing or no slug. Send one of the game's providers.")
        }
        guard let identity = try await identity(proof, by: provider, of: request, in: game, token: token) else {
            throw FieldError("provider", "The game has no such provider. Send one of its providers.")
        }
        return identity
    }

    /// Verifies an ID token.
    /// - Returns: Nil when the game has no such provider.
    func identity(_ proof: Fields, by provider: Slug, of request: Request, in game: Slug, token: TokenHash) async throws
        -> Identity?
    {
        guard let nonceText = try proof.text(Keys.IdentityProof.nonce.rawValue) else {
            throw FieldError(
                Keys.IdentityProof.nonce.rawValue,
                "nonce is missing. Send the one that \(Routes.v1.signIns.name(.post)) returned.")
        }
        guard let text = try proof.text(Keys.IdentityProof.token.rawValue) else {
            throw FieldError(Keys.IdentityProof.token.rawValue, "token is missing. Send the provider's ID token.")
        }
        try count(request)
        let nonce: SignInNonce
        do throws(SignInNonceRefusal) { nonce = try secret.signInNonce(nonceText, of: token, at: clock.now) } catch {
            throw refusal("nonce-\(error)", nil)
        }
        guard let found = try await store.admin.findProvider(provider, in: game)?.provider else { return nil }
        do throws(IdentityError) {
            let verified = try await verifier.verify(text, by: found, nonce: nonce, now: clock.now)
            return Identity(hash: secret.hash(of: verified, in: game), provider: provider)
        } catch {
            switch error {
            case .refused(let reason): throw refusal(reason.rawValue, found.kind)
            case .issuerAway(let seconds): throw Problem.issuerAway(for: seconds)
            }
        }
    }

    /// Counts a sign-in against the rate limit of its IP address.
    private func count(_ request: Request) throws(Problem) {
        guard rates.limiter.isOn, let address = rates.countedAddress(of: request) else { return }
        try rates.limiter.count(address, in: .addressSignIns)
    }

    /// Clients get the same text for all reasons. The reason is logged, the token is not.
    private func refusal(_ reason: String, _ kind: IdentityProvider.Kind?) -> Problem {
        log.log(
            .info, "an ID token was refused", of: "\(kind?.rawValue ?? "") \(reason)",
            metadata: ["reason": "\(reason)", "kind": "\(kind?.rawValue ?? "-")"])
        return .identityRefused
    }
}

// Problems of sign-in.
extension Problem {
    static let identityRefused = Problem(
        .identityRefused,
        "The ID token is not accepted: it is not the provider's, is for another game, has expired, or does not have "
            + "this device's nonce. Request a new nonce, and let the player sign in again.")
    static let identityTaken = Problem(
        .identityTaken,
        "Another player has linked this identity. To join that player, register the device with this identity.")
    static let secondIdentity = Problem(
        .identityTaken, "You have linked another identity of this provider. Unlink that one first.")
    static let identitiesFull = Problem(
        .identityTaken, "You have linked \(Limits.identitiesOfPlayerMax) identities. Unlink one first.")
    static let noProvider = Problem(.notFound, "The game has no such provider. Use the slug of one of its providers.")
    static let noSignIn = Problem(.notFound, "This game has no sign-in providers. Use codes instead.")

    static func issuerAway(for seconds: Int64) -> Problem {
        Problem(issuerAwayFor: seconds, "The sign-in provider's keys cannot be fetched now. Retry later.")
    }

    static let historyOfDevice = Problem(
        .hasHistory,
        "This device's own player has scores, donations or saves, which would be lost. Send \"merge\": true to merge "
            + "both players, or sign in on a new device.", field: Keys.DeviceRegistration.identity.rawValue)
}

extension FieldError {
    static let devicesFull = FieldError(
        Keys.DeviceRegistration.identity.rawValue,
        "The player has \(Limits.devicesOfPlayerMax) devices. Remove one on another device first.")
}
