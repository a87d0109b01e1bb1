import enum Contract.Keys
import enum Contract.Reply
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Devices of players: how they are registered, joined by codes, listed and cut off. A game registers
/// players under its own ids the same way.
final class DeviceHandlers: RouteHandlers {
    let store: Store
    let writeBatcher: WriteBatcher
    let rankings: Rankings
    let secret: Secret
    let clock: ServerClock
    let callers: Callers
    let rates: RequestRates
    let replies: Replies
    let registrations: RegistrationReader
    let identities: IdentityReader

    init(
        store: Store, writeBatcher: WriteBatcher, rankings: Rankings, secret: Secret, clock: ServerClock,
        callers: Callers, rates: RequestRates, replies: Replies, registrations: RegistrationReader,
        identities: IdentityReader
    ) {
        (self.store, self.writeBatcher, self.rankings, self.secret) = (store, writeBatcher, rankings, secret)
        (self.clock, self.callers, self.rates, self.replies) = (clock, callers, rates, replies)
        (self.registrations, self.identities) = (registrations, identities)
    }

    static func of(_ handlers: Handlers) -> DeviceHandlers { handlers.devices }

    /// `PUT /v1/games/{game}/devices/{device}`
    func registerDevice(_ request: Request, in game: Slug, _ device: String) async throws -> Response {
        let label = try Self.label(device)
        let shown = try shownToken(request)
        return try await rates.storing(
            RequestRates.bytesOfProfile(in: request), of: request, by: shown.map(rates.owner)
        ) { try await registerDevice(request, in: game, secret.hash(of: label, in: game), shown) }
    }

    /// - Parameter shown: The device's token; nil for a device that gets one.
    /// - Returns: The response, and whether the request stored anything new.
    private func registerDevice(_ request: Request, in game: Slug, _ hash: DeviceHash, _ shown: TokenHash?) async throws
        -> (Response, stays: Bool)
    {
        let made = Token.generated(.device)
        let access = shown.map(Access.token) ?? .newToken(made.hash)
        let fields = try request.fields(RegistrationReader.fields)
        let name = try fields.text(Keys.DeviceRegistration.deviceName.rawValue).map {
            try PlayerName($0, field: Keys.DeviceRegistration.deviceName.rawValue)
        }
        let merges = try fields.boolean(Keys.DeviceRegistration.merge.rawValue) ?? false
        let identity = try await identities.read(fields, of: request, in: game, token: shown)
        if let shown, let identity,
            let player = try await join(hash, in: game, by: identity, token: shown, named: name, merges: merges)
        {
            return try await signedIn(player, on: hash, token: shown, named: name)
        }
        if let code = try fields.text(Keys.DeviceRegistration.code.rawValue) {
            let outcome = try await join(request, hash, in: game, by: code, access: access, named: name, merges: merges)
            var stays = true
            if case .known = outcome, let shown {
                try await store.note(hash, token: shown, name: name, now: clock.now)
                stays = false
            }
            return (try joined(outcome, token: shown ?? made.hash, made: shown == nil ? made : nil), stays)
        }
        let registration = try await registrations.read(fields, source: Routes.v1.device.name(.put)) {
            switch try await store.judgeAccess(access, to: hash, in: game, now: clock.now) {
            case .unauthorized: throw Problem.unauthorized
            case .labelTaken: throw Problem.labelTaken
            case .noGame: throw Problem.noGame
            default: return
            }
        }
        let renamer = shown.map { token in { try await self.rates.renamer(by: token) } }
        let outcome = try await rates.countingRenames(of: renamer, registration) { registration in
            try await store.register(
                registration, device: hash, in: game, named: name, access: access, makesPlayer: rates.hasRoom,
                now: clock.now)
        }
        switch outcome {
        case .known, .renamed:
            // A device that has taken up a token speaks by its id alone no longer.
            rankings.forgetCaller(on: hash)
            if let shown { try await store.note(hash, token: shown, name: name, now: clock.now) }
        default: break
        }
        let response = try registered(registration, outcome, token: shown ?? made.hash, made: shown == nil ? made : nil)
        if let shown, let identity {
            let isLinked = try await link(identity, to: shown)
            // Another device has linked it in the meantime, so this device joins that player.
            if !isLinked,
                let player = try await join(hash, in: game, by: identity, token: shown, named: name, merges: merges)
            {
                return try await signedIn(player, on: hash, token: shown, named: name)
            }
        }
        return (response, registration.stays(outcome))
    }

    /// `PUT /v1/games/{game}/players/{your-id}`
    func registerPlayer(_ request: Request, in game: Slug, _ id: String) async throws -> Response {
        let key = try callers.gameKey(request)
        let label = try Self.label(id)
        let own = secret.hash(ofExternal: label, in: game)
        let fields = try request.fields(RegistrationReader.fields)
        if let code = try fields.text(Keys.DeviceRegistration.code.rawValue) {
            let merges = try fields.boolean(Keys.DeviceRegistration.merge.rawValue) ?? false
            let outcome = try await join(
                request, own, in: game, by: code, access: .key(key), named: nil, merges: merges)
            return try joined(outcome, token: nil, made: nil)
        }
        let registration = try await registrations.read(fields, source: Routes.v1.gamePlayer.name(.put)) {
            switch try await store.findGame(ofKey: key, now: clock.now) {
            case game: return
            case .some: throw Problem.otherGamesKey
            case nil: throw Problem.unauthorized
            }
        }
        let outcome = try await store.register(
            registration, device: own, in: game, access: .key(key), makesPlayer: rates.hasRoom, now: clock.now)
        if case .known = outcome { await callers.noteUse(of: own) }
        return try registered(registration, outcome)
    }

    /// `GET /v1/games/{game}/players/{your-id}`
    func ownPlayer(_ request: Request, in game: Slug, _ id: String) async throws -> Response {
        let key = try callers.gameKey(request)
        let own = secret.hash(ofExternal: try Self.label(id), in: game)
        let outcome = try await store.judgeAccess(.key(key), to: own, in: game, now: clock.now)
        if case .nameMissing = outcome { throw Problem.noPlayerInGame }
        return try registered(Registration(source: ""), outcome)
    }

    /// The token that a registration sends; nil without the header.
    /// - Throws: 401 for a text that is no token, 403 for a game's key.
    private func shownToken(_ request: Request) throws(Problem) -> TokenHash? {
        guard request.headers[.authorization] != nil else { return nil }
        switch try callers.credential(request) {
        case .player(let token): return token
        case .game: throw Problem.noKeyForDevices
        case .admin: throw Problem.unauthorized
        }
    }

    /// - Parameters:
    ///   - token: The token that speaks for the device from now, whose key for signing the device is told; nil for a
    ///     player under a game's own id.
    ///   - made: That token, if the server has made it, which is told once.
    private func registered(
        _ registration: Registration, _ outcome: RegistrationOutcome, token: TokenHash? = nil, made: Token? = nil
    ) throws -> Response {
        switch outcome {
        case .registered(let player): return came(to: player, token: token, made: made)
        case .known(let player), .renamed(let player):
            rankings.forgetSummary(of: player.id)
            return replies.own(.ok, reply(to: player, token: token, made: nil))
        case .nameMissing where registration.name != nil: throw Problem.full
        case .nameMissing:
            throw FieldError(Keys.DeviceRegistration.name.rawValue, "name is missing. A new player needs one.")
        case .nameRefused: throw FieldError.looksLikeCharity(Keys.DeviceRegistration.name.rawValue)
        case .noGame: throw Problem.noGame
        case .unauthorized: throw Problem.unauthorized
        case .labelTaken: throw Problem.labelTaken
        case .forbidden: throw Problem.otherGamesKey
        case .banned: throw Problem.banned
        case .pictureRefused: throw Problem.pictureRefused(Keys.DeviceRegistration.image.rawValue)
        case .scope: throw Problem.missing(.register)
        case .wrongDevice, .tokenNeeded, .tooManyRenames, .otherLabel, .noFlags, .flagFixed: throw Problem.bug
        }
    }

    private func joined(_ outcome: JoinOutcome, token: TokenHash?, made: Token?) throws -> Response {
        switch outcome {
        case .joined(let player): return came(to: player, token: token, made: made)
        case .known(let player):
            var response = replies.own(.ok, reply(to: player, token: token, made: nil))
            response.headers[.idempotentReplayed] = "true"
            return response
        case .codeRefused, .unknownIdentity: throw Problem.codeRefused
        case .banned: throw Problem.banned
        case .hasHistory: throw Problem.hasHistory
        case .mergeLimit: throw Problem.mergeLimit
        case .tooManyPoints: throw Problem.mergedTooLarge
        case .historyTooLong: throw Problem.mergedTooLong
        case .noGame: throw Problem.noGame
        case .unauthorized: throw Problem.unauthorized
        case .labelTaken: throw Problem.labelTaken
        case .forbidden: throw Problem.otherGamesKey
        case .scope: throw Problem.missing(.register)
        }
    }

    /// A device has got its player.
    func came(to player: Player, token: TokenHash?, made: Token?) -> Response {
        replies.written(
            JSONTree(reply(to: player, token: token, made: made)), at: Routes.v1.player.path(player.id), isReplay: false
        )
    }

    /// - Parameters:
    ///   - token: The token that speaks for the device from now; nil for a player under a game's own id.
    ///   - made: That token, if the server has made it.
    func reply(to player: Player, token: TokenHash?, made: Token?) -> Reply.Registered {
        Reply.Registered(
            player: replies.player(player.id, player.name, player.avatar), token: made?.text,
            signKey: token.map { secret.signKey(of: $0).text })
    }

    static func label(_ text: String) throws(Problem) -> DeviceLabel {
        do { return try DeviceLabel(text, field: "id") } catch { throw Problem.badPathLabel(error) }
    }
}
