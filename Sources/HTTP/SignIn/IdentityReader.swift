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

/// Reads who a player is at a sign-in provider, and has it proved.
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

    /// Reads the field `identity` of a registration; nil without it.
    /// - Parameter token: The device's token, for which the nonce was made; nil for a device that sends none.
    func read(_ fields: Fields, of request: Request, in game: Slug, token: TokenHash?) async throws -> Identity? {
        let field = Keys.DeviceRegistration.identity.rawValue
        guard let proof = try fields.object(field) else { return nil }
        guard let token else {
            throw FieldError(field, "identity needs the token for which the nonce was made. Send it as Authorization.")
        }
        guard fields.presence(of: Keys.DeviceRegistration.code.rawValue) != .value else {
            throw FieldError(field, "Both code and identity are there. Send one of them.")
        }
        guard let slug = try proof.text(Keys.IdentityProof.provider.rawValue), let provider = Slug(slug) else {
            throw FieldError("provider", "identity has no provider, or no slug of one. Send one of the game's.")
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
                "nonce is missing. Send the one of \(Routes.v1.signIns.name(.post)), which the ID token names.")
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

    /// Counts a sign-in in the limit of its address.
    private func count(_ request: Request) throws(Problem) {
        guard rates.limiter.isOn, let address = rates.countedAddress(of: request) else { return }
        try rates.limiter.count(address, in: .addressSignIns)
    }

    /// Clients get one text for all reasons, and the log has no token.
    private func refusal(_ reason: String, _ kind: IdentityProvider.Kind?) -> Problem {
        log.log(
            .info, "an ID token signs nobody in", of: "\(kind?.rawValue ?? "") \(reason)",
            metadata: ["reason": "\(reason)", "kind": "\(kind?.rawValue ?? "-")"])
        return .identityRefused
    }
}

// The sentences about sign-in.
extension Problem {
    static let identityRefused = Problem(
        .identityRefused,
        "This ID token signs nobody in here: it is not the provider's, is for another game, is too old, or does not "
            + "name the nonce of this device. Ask for a new nonce, and let the player sign in again.")
    static let identityTaken = Problem(
        .identityTaken,
        "Another player has linked this identity. To use that player, sign in with a registration of the device.")
    static let secondIdentity = Problem(
        .identityTaken, "You have linked another identity of this provider. Unlink that one first.")
    static let identitiesFull = Problem(
        .identityTaken, "You have linked \(Limits.identitiesOfPlayerMax) identities. Unlink one first.")
    static let noProvider = Problem(.notFound, "The game has no such provider. Name it by its slug.")
    static let noSignIn = Problem(.notFound, "Players of this game sign in nowhere. Use codes instead.")

    static func issuerAway(for seconds: Int64) -> Problem {
        Problem(issuerAwayFor: seconds, "The sign-in provider cannot be asked for its keys. Send the same again later.")
    }

    static let historyOfDevice = Problem(
        .hasHistory,
        "This device speaks for a player with scores, donations or saves, who would be lost. Send \"merge\": true to "
            + "make both players one, or sign in on a new device.", field: Keys.DeviceRegistration.identity.rawValue)
}

extension FieldError {
    static let devicesFull = FieldError(
        Keys.DeviceRegistration.identity.rawValue,
        "The player has \(Limits.devicesOfPlayerMax) devices. Remove one on another device first.")
}
