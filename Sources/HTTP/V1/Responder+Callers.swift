import Credentials
import Domain
import HTTPTypes
import Storage

// Who calls a v1 route.
extension Responder {
    /// - Throws: 401 when the request shows none, or one that could not be ours.
    func credential(_ request: Request) throws(Problem) -> Credential {
        guard let header = request.headers[.authorization], let credential = Credential(authorization: header) else {
            throw Problem.unauthorized
        }
        return credential
    }

    /// The token of a player.
    /// - Throws: 401 without one, 403 for a game's key.
    func playerToken(_ request: Request) throws(Problem) -> TokenHash {
        switch try credential(request) {
        case .player(let token): return token
        case .game: throw Problem.playersOnly
        }
    }

    /// The key of a game.
    /// - Throws: 401 without one, 403 for a player's token.
    func gameKey(_ request: Request) throws(Problem) -> TokenHash {
        switch try credential(request) {
        case .game(let key): return key
        case .player: throw Problem.gamesOnly
        }
    }

    /// The player whom a caller speaks for.
    /// - Parameter game: That the caller must belong to; nil for any.
    func known(_ caller: Caller, in game: Slug?) async throws -> Player.ID {
        switch try await store.findCaller(caller, in: game) {
        case .known(let player): return player
        case .unauthorized: throw Problem.unauthorized
        case .forbidden: throw Problem.forbidden(caller)
        case .noPlayer: throw Problem.noPlayerInGame
        }
    }

    /// Who posts or gives, as the books judge it.
    /// - Parameter game: The path's; nil looks it up by the key where that is needed.
    /// - Throws: 403 for a player who speaks for somebody else, 422 for a key that says not whom it speaks for.
    func caller(_ credential: Credential, _ fields: Fields, in game: Slug?) async throws -> Caller {
        let player = try fields.integer("player")
        let external = try fields.text("external")
        switch credential {
        case .player(let token):
            guard external == nil else { throw Problem.externalIsForGames }
            return .token(token, claims: player.map(Player.ID.init))
        case .game(let key):
            return .key(key, try await subject(player.map(Player.ID.init), external, of: key, in: game))
        }
    }

    /// Whom a game means.
    func subject(_ player: Player.ID?, _ external: String?, of key: TokenHash, in game: Slug?) async throws
        -> Caller.Subject
    {
        switch (player, external) {
        case (let player?, nil): return .player(player)
        case (nil, let external?):
            let label = try DeviceLabel(external, field: "external")
            var owner = game
            if owner == nil { owner = try await store.findGame(ofKey: key) }
            guard let owner else { throw Problem.unauthorized }
            return .external(secret.hash(ofExternal: label, in: owner))
        case (nil, nil):
            throw FieldError("player", "player is missing. Say with player or external for whom the game speaks.")
        case (_?, _?): throw FieldError("external", "Both player and external are there. Send one of them.")
        }
    }

    /// The player whom `me` in a path means.
    /// - Parameter game: Which the player must belong to; nil for any.
    /// - Throws: 401 without the token of a player of the game.
    func callingPlayer(_ request: Request, in game: Slug?) async throws -> Player.ID {
        try await known(.token(try playerToken(request), claims: nil), in: game)
    }
}
