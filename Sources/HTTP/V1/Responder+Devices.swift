import enum Contract.Keys
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// Registration of a device under its own token, and of a player under the game's own id.
extension Responder {
    /// `PUT /v1/games/{game}/devices/{device}`
    func registerDevice(_ request: Request, in game: Slug, _ device: String) async throws -> Response {
        let label = try Self.label(device)
        let shown = try shownToken(request)
        return try await storing(Self.bytesOfProfile(in: request), of: request, by: shown.map(owner)) {
            try await registerDevice(request, in: game, secret.hash(of: label, in: game), shown)
        }
    }

    /// - Parameter shown: The device's token; nil for a device that gets one.
    /// - Returns: The response, and whether the request stored anything new.
    private func registerDevice(_ request: Request, in game: Slug, _ hash: DeviceHash, _ shown: TokenHash?) async throws
        -> (Response, stays: Bool)
    {
        let made = Token.generated(.device)
        let access = shown.map(Access.token) ?? .newToken(made.hash)
        let fields = try request.fields(Self.playerFields)
        let name = try fields.text(Keys.DeviceRegistration.deviceName.rawValue).map {
            try PlayerName($0, field: Keys.DeviceRegistration.deviceName.rawValue)
        }
        if let code = try fields.text(Keys.DeviceRegistration.code.rawValue) {
            let merges = try fields.boolean(Keys.DeviceRegistration.merge.rawValue) ?? false
            let outcome = try await join(request, hash, in: game, by: code, access: access, named: name, merges: merges)
            var stays = true
            if case .known = outcome, let shown {
                try await store.note(hash, token: shown, name: name, now: clock.now)
                stays = false
            }
            return (try joined(outcome, token: shown ?? made.hash, made: shown == nil ? made : nil), stays)
        }
        let registration = try await registration(fields, source: Routes.v1.device.name(.put)) {
            switch try await store.judgeAccess(access, to: hash, in: game, now: clock.now) {
            case .unauthorized: throw Problem.unauthorized
            case .labelTaken: throw Problem.labelTaken
            case .noGame: throw Problem.noGame
            default: return
            }
        }
        let renamer = shown.map { token in { try await self.renamer(by: token) } }
        let outcome = try await countingRenames(of: renamer, registration) { registration in
            try await store.register(
                registration, device: hash, in: game, named: name, access: access, makesPlayer: hasRoom, now: clock.now)
        }
        switch outcome {
        case .known, .renamed:
            // A device that has taken up a token speaks by its id alone no longer.
            rankings.forgetCaller(on: hash)
            if let shown { try await store.note(hash, token: shown, name: name, now: clock.now) }
        default: break
        }
        let response = try registered(registration, outcome, token: shown ?? made.hash, made: shown == nil ? made : nil)
        return (response, Self.stays(registration, outcome))
    }

    /// Whether a registration stores anything new. A picture always counts, because nobody knows whether it was already
    /// stored.
    static func stays(_ registration: Registration, _ outcome: RegistrationOutcome) -> Bool {
        if case .known = outcome, case .set = registration.avatar { return true }
        if case .known = outcome { return false }
        return true
    }

    /// `PUT /v1/games/{game}/players/{your-id}`
    func registerPlayer(_ request: Request, in game: Slug, _ id: String) async throws -> Response {
        let key = try gameKey(request)
        let label = try Self.label(id)
        let own = secret.hash(ofExternal: label, in: game)
        let fields = try request.fields(Self.playerFields)
        if let code = try fields.text(Keys.DeviceRegistration.code.rawValue) {
            let merges = try fields.boolean(Keys.DeviceRegistration.merge.rawValue) ?? false
            let outcome = try await join(
                request, own, in: game, by: code, access: .key(key), named: nil, merges: merges)
            return try joined(outcome, token: nil, made: nil)
        }
        let registration = try await registration(fields, source: Routes.v1.gamePlayer.name(.put)) {
            switch try await store.findGame(ofKey: key, now: clock.now) {
            case game: return
            case .some: throw Problem.otherGamesKey
            case nil: throw Problem.unauthorized
            }
        }
        let outcome = try await store.register(
            registration, device: own, in: game, access: .key(key), makesPlayer: hasRoom, now: clock.now)
        if case .known = outcome { await noteUse(of: own) }
        return try registered(registration, outcome)
    }

    /// `GET /v1/games/{game}/players/{your-id}`
    func ownPlayer(_ request: Request, in game: Slug, _ id: String) async throws -> Response {
        let key = try gameKey(request)
        let own = secret.hash(ofExternal: try Self.label(id), in: game)
        let outcome = try await store.judgeAccess(.key(key), to: own, in: game, now: clock.now)
        if case .nameMissing = outcome { throw Problem.noPlayerInGame }
        return try registered(Registration(source: ""), outcome)
    }

    /// What a body may say of a player and its device.
    static let playerFields = Keys.DeviceRegistration.names.union(Keys.ProfileChange.names)

    /// Reads a player's fields.
    /// - Parameter authorize: Throws unless the caller may register. It is called before a picture is decoded, which
    ///   takes milliseconds of processor time; the statement that registers judges every caller again.
    func registration(_ fields: Fields, source: String, authorize: () async throws -> Void) async throws -> Registration
    {
        var registration = Registration(source: source)
        if fields.presence(of: Keys.DeviceRegistration.name.rawValue) == .null {
            throw FieldError(Keys.DeviceRegistration.name.rawValue, "A player has a name. Leave name out to keep it.")
        }
        if let name = try fields.text(Keys.DeviceRegistration.name.rawValue) {
            registration.name = try PlayerName(name, field: Keys.DeviceRegistration.name.rawValue)
        }
        registration.email = try patch(fields, Keys.DeviceRegistration.email.rawValue) { text throws(FieldError) in
            try EmailAddress(text, field: Keys.DeviceRegistration.email.rawValue)
        }
        registration.country = try patch(fields, Keys.DeviceRegistration.country.rawValue) { text throws(FieldError) in
            try CountryCode(text, field: Keys.DeviceRegistration.country.rawValue)
        }
        registration.wantsUpdates = try fields.boolean(Keys.DeviceRegistration.sendUpdates.rawValue)
        if fields.presence(of: Keys.DeviceRegistration.image.rawValue) != .absent {
            let image = try fields.text(Keys.DeviceRegistration.image.rawValue) ?? ""
            if !image.isEmpty {
                try requireRoom()
                try await authorize()
            }
            registration.avatar = image.isEmpty ? .clear : .set(try await avatar(fromBase64: image))
        }
        return registration
    }

    /// Reads a field of a JSON merge patch; null and an empty text clear the value.
    private func patch<Value>(_ fields: Fields, _ field: String, _ parse: (String) throws(FieldError) -> Value)
        throws(FieldError) -> Patch<Value>
    {
        guard fields.presence(of: field) != .absent else { return .keep }
        guard let text = try fields.text(field), !text.isEmpty else { return .clear }
        return .set(try parse(text))
    }

    /// The token that a registration sends; nil without the header.
    /// - Throws: 401 for a text that is no token, 403 for a game's key.
    private func shownToken(_ request: Request) throws(Problem) -> TokenHash? {
        guard request.headers[.authorization] != nil else { return nil }
        switch try credential(request) {
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
            return ownReply(.ok, .object(members(ofDeviceOf: player, token: token, made: nil)))
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
        case .wrongDevice, .tokenNeeded, .tooManyRenames, .otherLabel: throw Problem.bug
        }
    }

    private func joined(_ outcome: JoinOutcome, token: TokenHash?, made: Token?) throws -> Response {
        switch outcome {
        case .joined(let player): return came(to: player, token: token, made: made)
        case .known(let player):
            var response = ownReply(.ok, .object(members(ofDeviceOf: player, token: token, made: nil)))
            response.headers[.idempotentReplayed] = "true"
            return response
        case .codeRefused: throw Problem.codeRefused
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
    private func came(to player: Player, token: TokenHash?, made: Token?) -> Response {
        written(
            .object(members(ofDeviceOf: player, token: token, made: made)), at: Routes.v1.player.path(player.id),
            isReplay: false)
    }

    /// - Parameters:
    ///   - token: The token that speaks for the device from now; nil for a player under a game's own id.
    ///   - made: That token, if the server has made it.
    private func members(ofDeviceOf player: Player, token: TokenHash?, made: Token?) -> [JSONTree.Member] {
        [
            .init(Keys.Registered.player, .object(Self.members(player.id, player.name, player.avatar))),
            .init(Keys.Registered.token, .text(ifAny: made?.text)),
        ] + (token.map { [member(signKeyOf: $0)] } ?? [])
    }

    /// The key by which the holder of a token signs.
    func member(signKeyOf token: TokenHash) -> JSONTree.Member {
        .init(Keys.RotatedToken.signKey, .text(secret.signKey(of: token).text))
    }

    static func members(_ id: Player.ID, _ name: String, _ avatar: AvatarHash?) -> [JSONTree.Member] {
        [
            .init(Keys.Player.id, .integer(Int128(id.rawValue))), .init(Keys.Player.name, .text(name)),
            .init(Keys.Player.avatar, avatar.map { .link(Routes.v1.avatar.path($0)) } ?? .none),
        ]
    }

    private static func label(_ text: String) throws(Problem) -> DeviceLabel {
        do { return try DeviceLabel(text, field: "id") } catch { throw Problem.badPathLabel(error) }
    }
}
