import Credentials
import Domain
import HTTPServer
import HTTPTypes
import Leaderboard
import NIOCore
import Storage

/// Who a request of v1 speaks for: the player of a token, or a game by its key.
final class Callers: Sendable {
    let store: Store
    let rankings: Rankings
    let secret: Secret
    let clock: ServerClock
    private let deviceUses = DayUses<BucketKey>(max: Limits.knownDevicesMax)

    init(store: Store, rankings: Rankings, secret: Secret, clock: ServerClock) {
        (self.store, self.rankings, self.secret, self.clock) = (store, rankings, secret, clock)
    }

    /// The bearer token of a request.
    /// - Throws: 401 when the request has none, or one that has not the form of our tokens.
    func credential(_ request: Request) throws(Problem) -> Credential {
        if let credential = request.credential { return credential }
        guard let header = request.headers[.authorization], let credential = Credential(authorization: header) else {
            throw Problem.unauthorized
        }
        return credential
    }

    /// The bearer token of a player.
    /// - Throws: 401 without a token, 403 for a game's key.
    func playerToken(_ request: Request) throws(Problem) -> TokenHash {
        switch try credential(request) {
        case .player(let token): return token
        case .game: throw Problem.playersOnly
        case .admin: throw Problem.unauthorized
        }
    }

    /// The key of a game.
    /// - Throws: 401 without a token, 403 for a player's token.
    func gameKey(_ request: Request) throws(Problem) -> TokenHash {
        switch try credential(request) {
        case .game(let key): return key
        case .player: throw Problem.gamesOnly
        case .admin: throw Problem.unauthorized
        }
    }

    /// The player that a caller acts for.
    /// - Parameter game: The game that the caller must belong to; nil accepts any game.
    func known(_ caller: Caller, in game: Slug?) async throws -> Player.ID { try await found(caller, in: game).player }

    /// The player that a caller acts for, and whom it acted for before players were merged, whose rows come first where
    /// one is looked for by its id.
    /// - Parameter game: The game that the caller must belong to; nil accepts any game.
    func found(_ caller: Caller, in game: Slug?) async throws -> (player: Player.ID, own: Player.ID) {
        switch try await store.findCaller(caller, in: game, now: clock.now) {
        case .known(let player, let own):
            if case .token(let token, _) = caller { await noteUse(ofToken: token) }
            return (player, own)
        case .unauthorized: throw Problem.unauthorized
        case .forbidden: throw Problem.forbidden(caller)
        case .noPlayer: throw Problem.noPlayerInGame
        }
    }

    /// Notes that a device with a token was used today, with the first of its requests of the day here that is no post
    /// and no donation; those have rows that say so. This is one statement more for that request. A failure is no
    /// reason to answer anything else.
    /// - Parameter token: One that the database has accepted.
    func noteUse(ofToken token: TokenHash) async {
        await noteUse(BucketKey(token)) { day throws(StoreError) in try await store.noteUse(ofToken: token, on: day) }
    }

    /// The same for a device that may have no token.
    func noteUse(of device: DeviceHash) async {
        await noteUse(BucketKey(device, from: nil)) { day throws(StoreError) in
            try await store.noteUse(of: device, on: day)
        }
    }

    private func noteUse(_ key: BucketKey, _ note: (Day) async throws(StoreError) -> Void) async {
        let today = clock.now.dayInUTC
        guard deviceUses.isFirst(of: key, on: today) else { return }
        do throws(StoreError) { try await note(today) } catch { deviceUses.forget(key) }
    }

    /// The caller of a post or donation, as the ledger judges it.
    /// - Parameter game: The game in the path; nil finds it by the key where it is needed.
    /// - Throws: 403 for a player's token with `external`; for a key the errors of ``subject(_:_:of:in:)``.
    func caller(_ credential: Credential, _ fields: Fields, in game: Slug?) async throws -> Caller {
        let player = try fields.integer("player")
        let external = try fields.text("external")
        switch credential {
        case .player(let token):
            guard external == nil else { throw Problem.externalIsForGames }
            return .token(token, claims: player.map(Player.ID.init))
        case .game(let key):
            return .key(key, try await subject(player.map(Player.ID.init), external, of: key, in: game))
        case .admin: throw Problem.unauthorized
        }
    }

    /// The player that a game's key acts for, named by its id or by the game's own id for it.
    /// - Throws: 422 unless exactly one of the two is given, 401 for a key of no game.
    func subject(_ player: Player.ID?, _ external: String?, of key: TokenHash, in game: Slug?) async throws
        -> Caller.Subject
    {
        switch (player, external) {
        case (let player?, nil): return .player(player)
        case (nil, let external?):
            let label = try DeviceLabel(external, field: "external")
            var owner = game
            if owner == nil { owner = try await store.findGame(ofKey: key, now: clock.now) }
            guard let owner else { throw Problem.unauthorized }
            return .external(secret.hash(ofExternal: label, in: owner))
        case (nil, nil):
            throw FieldError("player", "player is missing. Say with player or external for whom the game speaks.")
        case (_?, _?): throw FieldError("external", "Both player and external are there. Send one of them.")
        }
    }

    /// The player that `me` in the path of a read means.
    /// - Parameter game: The game that the player must belong to; nil accepts any game.
    /// - Throws: 401 without the token of a player of that game, 403 for a game's key, 404 when there is no such game.
    func callingPlayer(_ request: Request, in game: Slug?) async throws -> Player.ID {
        try await readingDevice(request, in: game).player
    }

    /// The device whose player `me` in the path of a read means. Memory mostly knows it, so this asks the database for
    /// the first request of a token, and of a day.
    /// - Parameter game: The game that the player must belong to; nil accepts any game.
    /// - Throws: 401 without the token of a player of that game, 403 for a game's key, 404 when there is no such game.
    func readingDevice(_ request: Request, in game: Slug?) async throws -> ReadingDevice {
        let token = try playerToken(request)
        guard let device = try await rankings.findReadingDevice(ofToken: token) else { throw Problem.unauthorized }
        // The database says whether there is such a game.
        if let game, device.game != game { _ = try await known(.token(token, claims: nil), in: game) }
        await noteUse(ofToken: token)
        return device
    }
}

// The devices of players.
extension Callers {
    /// The device that a token belongs to.
    /// - Throws: 401 for a token of none.
    func callingDevice(_ token: TokenHash) async throws -> CallingDevice {
        guard let device = try await store.findDevice(ofToken: token) else { throw Problem.unauthorized }
        await noteUse(ofToken: token)
        return device
    }

    /// The same for a caller who changes something.
    /// - Throws: 403 for a player who is banned.
    func writingDevice(_ token: TokenHash) async throws -> CallingDevice {
        let device = try await callingDevice(token)
        if device.isBanned { throw Problem.banned }
        return device
    }

    /// The same for actions that a stranger's device must not take before the owner can notice it. A new device is
    /// refused while the player has an older one.
    /// - Throws: 403 for a new device.
    func verifiedDevice(_ token: TokenHash) async throws -> CallingDevice {
        let device = try await callingDevice(token)
        try requireVerified(device)
        return device
    }

    func requireVerified(_ device: CallingDevice) throws(Problem) {
        if let end = device.newUntil(at: clock.now) { throw .deviceTooNew(until: end, now: clock.now) }
    }
}

extension Callers {
    /// The error for a request with an unknown token, whose player may have been erased.
    func refusal(of error: any Error, to request: Request) async -> any Error {
        guard let problem = error as? Problem, problem == .unauthorized,
            case .player(let token)? = try? credential(request),
            let receipt = try? await store.findErasure(ofToken: token, now: clock.now)
        else { return error }
        return Problem.erased(receipt)
    }
}

// Signatures of requests by a player's token.
extension Callers {
    /// Whether a request is signed by the player's token that it carries. A signature that is there has to be good,
    /// whether or not anything needs it, so that a client learns at once that it signs wrongly. A game's key signs
    /// nothing, and its header is not looked at.
    ///
    /// This answers before anybody has looked whether the token is known, and alike for those that are not. So a
    /// signature that is refused is no failed credential, and a client whose clock is wrong is never shut out.
    /// - Throws: 401 for a signature that is malformed, or wrong, or whose time is too far from the server's clock.
    func isSigned(_ request: Request, by credential: Credential) throws(Problem) -> Bool {
        guard case .player(let token) = credential, let header = request.headers[.causeboardSignature] else {
            return false
        }
        guard let signature = RequestSignature(header) else { throw .badSignature }
        let key = secret.signKey(of: token)
        let isMade = request.body.withUnsafeReadableBytes { body in
            key.made(signature, method: request.method.rawValue, target: request.pathAndQuery, body: body)
        }
        guard isMade else { throw .badSignature }
        guard signature.secondsOff(clock.now) <= Limits.signatureSkewSecondsMax else { throw .clockSkew }
        return true
    }
}

extension Request {
    /// The path by which the request was routed and its query, both as they were sent, without the scheme and host that
    /// a proxy may have put in front of them.
    fileprivate var pathAndQuery: String {
        guard target.utf8.first != UInt8(ascii: "/") else { return target }
        let query = target.utf8.drop { $0 != UInt8(ascii: "?") }
        return path + (String(query) ?? "")
    }
}

extension Store {
    /// Why there is nothing of a player: it was erased, or there is none.
    func noPlayer(_ player: Player.ID, else problem: Problem = .noPlayer) async throws -> Problem {
        try await isErased(player) ? Problem.playerGone : problem
    }
}
