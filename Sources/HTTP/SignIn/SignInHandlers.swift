import enum Contract.Keys
import enum Contract.Reply
import struct Contract.Timestamp
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Nonces for sign-ins, and a player's linked identities. The sign-in itself is a device registration.
final class SignInHandlers: RouteHandlers {
    let store: Store
    let secret: Secret
    let clock: ServerClock
    let callers: Callers
    let rates: RequestRates
    let replies: Replies
    let identities: IdentityReader

    init(
        store: Store, secret: Secret, clock: ServerClock, callers: Callers, rates: RequestRates, replies: Replies,
        identities: IdentityReader
    ) {
        (self.store, self.secret, self.clock) = (store, secret, clock)
        (self.callers, self.rates, self.replies, self.identities) = (callers, rates, replies, identities)
    }

    static func of(_ handlers: Handlers) -> SignInHandlers { handlers.signIn }

    /// `POST /v1/games/{game}/sign-ins`. The token may have no player yet.
    func makeNonce(_ request: Request, in game: Slug) async throws -> Response {
        let token = try callers.playerToken(request)
        guard try await !store.admin.providers(of: game).isEmpty else { throw Problem.noSignIn }
        let now = clock.now
        let nonce = secret.signInNonce(for: token, at: now).text
        return replies.own(.ok, Reply.SignInNonce(nonce: nonce, expiresAt: Timestamp(Secret.signInNonceEnd(at: now))))
    }

    /// `GET /v1/players/me/identities`
    func myIdentities(_ request: Request) async throws -> Response {
        let player = try await callers.callingDevice(callers.playerToken(request)).player
        let linked = try await store.identities(of: player)
        return replies.own(.ok, Reply.IdentityList(identities: linked.map(\.reply)))
    }

    /// `PUT /v1/players/me/identities/{provider}`
    func linkIdentity(_ request: Request, _ provider: Slug) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        // Else a thief of a token could link an identity and keep access.
        try callers.requireVerified(device)
        try rates.count(device, in: .playerIdentities)
        let fields = try request.fields(Keys.IdentityProof.names)
        guard
            let identity = try await identities.identity(
                fields, by: provider, of: request, in: device.game, token: token)
        else { throw Problem.noProvider }
        guard let (outcome, linked) = try await store.link(identity.hash, by: provider, to: token, now: clock.now)
        else { throw Problem.unauthorized }
        try outcome.check()
        var response = replies.own(outcome == .known ? .ok : .created, linked.reply)
        if outcome == .known { response.headers[.idempotentReplayed] = "true" }
        return response
    }

    /// `DELETE /v1/players/me/identities/{provider}`
    func unlinkIdentity(_ request: Request, _ provider: Slug) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        try callers.requireVerified(device)
        try rates.count(device, in: .playerIdentities)
        try await store.unlink(provider, from: token)
        return Response(status: .noContent, headers: [.cacheControl: "private, no-store"])
    }
}

extension LinkOutcome {
    /// - Throws: Unless the identity is linked to the player.
    func check() throws(Problem) {
        switch self {
        case .linked, .known: return
        case .taken: throw .identityTaken
        case .second: throw .secondIdentity
        case .full: throw .identitiesFull
        }
    }
}

extension OwnIdentity {
    /// An identity as its player sees it.
    var reply: Reply.LinkedIdentity {
        Reply.LinkedIdentity(provider: provider.description, linkedAt: Timestamp(linkedAt), usedOn: usedOn.isoDate)
    }
}

// Devices that join a player by sign-in.
extension DeviceHandlers {
    /// Joins a device to the player who has linked an identity.
    /// - Returns: The player, and whether the device had joined before; nil when no player has linked the identity.
    func join(
        _ device: DeviceHash, in game: Slug, by identity: IdentityReader.Identity, token: TokenHash,
        named name: PlayerName?, merges: Bool
    ) async throws -> (player: Player, isKnown: Bool)? {
        let joining = Joining(
            device, in: game, access: .token(token), by: .identity(identity.hash), number: secret.number(of: device),
            name: name, now: clock.now)
        var outcome = try await store.join(joining)
        if merges, case .hasHistory = outcome {
            // A merge moves all devices of the device's own player.
            _ = try await callers.verifiedDevice(token)
            outcome = try await writeBatcher.joinMerging(joining)
        }
        switch outcome {
        case .joined(let player):
            rankings.forgetCaller(on: device)
            return (player, false)
        case .known(let player): return (player, true)
        case .unknownIdentity: return nil
        case .codeRefused: throw FieldError.devicesFull
        case .hasHistory: throw Problem.historyOfDevice
        case .mergeLimit: throw Problem.mergeLimit
        case .tooManyPoints: throw Problem.mergedTooLarge
        case .historyTooLong: throw Problem.mergedTooLong
        case .banned: throw Problem.banned
        case .noGame: throw Problem.noGame
        case .unauthorized: throw Problem.unauthorized
        case .labelTaken: throw Problem.labelTaken
        case .forbidden, .scope: throw Problem.bug
        }
    }

    /// Links an identity that no player has linked to the player of a device.
    /// - Returns: False when another player has linked it in the meantime.
    func link(_ identity: IdentityReader.Identity, to token: TokenHash) async throws -> Bool {
        _ = try await callers.verifiedDevice(token)
        guard let (outcome, _) = try await store.link(identity.hash, by: identity.provider, to: token, now: clock.now)
        else { throw Problem.unauthorized }
        if outcome == .taken { return false }
        try outcome.check()
        return true
    }

    /// The response to a device that signed in, and whether the request stored anything new.
    func signedIn(
        _ player: (player: Player, isKnown: Bool), on device: DeviceHash, token: TokenHash, named name: PlayerName?
    ) async throws -> (Response, stays: Bool) {
        guard player.isKnown else { return (came(to: player.player, token: token, made: nil), true) }
        try await store.note(device, token: token, name: name, now: clock.now)
        var response = replies.own(.ok, reply(to: player.player, token: token, made: nil))
        response.headers[.idempotentReplayed] = "true"
        return (response, false)
    }
}
