import Credentials
import Domain
import Feeds
import HTTPTypes
import Leaderboard
import Storage

// Registration of a device under its own token, and of a player under the game's own id.
extension Responder {
    /// `PUT /v1/games/{game}/devices/{device}`
    func registerDevice(_ request: Request, in game: Slug, _ device: String) async throws -> Response {
        let label = try Self.label(device)
        let shown = try shownToken(request)
        let hash = secret.hash(of: label, in: game)
        let made = Token.generated(.device)
        let access = shown.map(Access.token) ?? .newToken(made.hash)
        let registration = try await registration(request, source: Routes.device.name(.put)) {
            switch try await store.judgeAccess(access, to: hash, in: game, now: clock.now) {
            case .unauthorized: throw Problem.unauthorized
            case .noGame: throw Problem.noGame
            default: return
            }
        }
        let outcome = try await countingRenames(of: shown.map(BucketKey.init), registration) { registration in
            try await store.register(registration, device: hash, in: game, access: access, now: clock.now)
        }
        return try registered(outcome, token: shown == nil ? made : nil)
    }

    /// `PUT /v1/games/{game}/players/{your-id}`
    func registerPlayer(_ request: Request, in game: Slug, _ id: String) async throws -> Response {
        let key = try gameKey(request)
        let label = try Self.label(id)
        let registration = try await registration(request, source: Routes.gamePlayer.name(.put)) {
            switch try await store.findGame(ofKey: key, now: clock.now) {
            case game: return
            case .some: throw Problem.otherGamesKey
            case nil: throw Problem.unauthorized
            }
        }
        let outcome = try await store.register(
            registration,
            device: secret.hash(ofExternal: label, in: game),
            in: game,
            access: .key(key),
            now: clock.now
        )
        return try registered(outcome, token: nil)
    }

    /// Reads a player's fields from a body.
    /// - Parameter authorize: Throws unless the caller may register. It is called before a picture is decoded, which
    ///   takes milliseconds of processor time; the statement that registers judges every caller again.
    func registration(
        _ request: Request,
        source: String,
        authorize: () async throws -> Void
    ) async throws -> Registration {
        let fields = try request.fields(["name", "image", "email", "send_updates", "country"])
        var registration = Registration(source: source)
        if fields.presence(of: "name") == .null {
            throw FieldError("name", "A player has a name. Leave name out to keep it.")
        }
        if let name = try fields.text("name") { registration.name = try PlayerName(name, field: "name") }
        registration.email = try patch(fields, "email") { text throws(FieldError) in
            try EmailAddress(text, field: "email")
        }
        registration.country = try patch(fields, "country") { text throws(FieldError) in
            try CountryCode(text, field: "country")
        }
        registration.wantsUpdates = try fields.boolean("send_updates")
        if fields.presence(of: "image") != .absent {
            let image = try fields.text("image") ?? ""
            if !image.isEmpty { try await authorize() }
            registration.avatar = image.isEmpty ? .clear : .set(try await avatar(fromBase64: image))
        }
        return registration
    }

    /// Reads a field of a JSON merge patch; null and an empty text clear the value.
    private func patch<Value>(_ fields: Fields, _ field: String, _ parse: (String) throws(FieldError) -> Value)
        throws(FieldError)
        -> Patch<Value>
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

    private func registered(_ outcome: RegistrationOutcome, token: Token?) throws -> Response {
        switch outcome {
        case .registered(let player):
            var members: [JSONTree.Member] = [
                .init("player", .object(Self.members(player.id, player.name, player.avatar)))
            ]
            if let token { members.append(.init("token", .text(token.text))) }
            return written(.object(members), at: Routes.player.path(player.id), isReplay: false)
        case .known(let player), .renamed(let player):
            rankings.forgetSummary(of: player.id)
            return ownReply(
                .ok,
                .object([.init("player", .object(Self.members(player.id, player.name, player.avatar)))])
            )
        case .nameMissing: throw FieldError("name", "name is missing. A new player needs one.")
        case .nameRefused: throw FieldError.looksLikeCharity("name")
        case .noGame: throw Problem.noGame
        case .unauthorized: throw Problem.unauthorized
        case .forbidden: throw Problem.otherGamesKey
        case .scope: throw Problem.missing(.register)
        case .wrongDevice, .tokenNeeded, .tooManyRenames: throw Problem.bug
        }
    }

    static func members(_ id: Player.ID, _ name: String, _ avatar: AvatarHash?) -> [JSONTree.Member] {
        [
            .init("id", .integer(Int128(id.rawValue))), .init("name", .text(name)),
            .init("avatar", avatar.map { .link(Routes.avatar.path($0)) } ?? .none),
        ]
    }

    private static func label(_ text: String) throws(Problem) -> DeviceLabel {
        do { return try DeviceLabel(text, field: "id") } catch { throw Problem.badPathLabel(error) }
    }
}
