import enum Contract.Reply
import struct Contract.Timestamp
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// Codes by which a player brings another device to itself.
extension DeviceHandlers {
    /// `POST /v1/players/me/codes`
    func makeJoinCode(_ request: Request) async throws -> Response {
        try await makeCode(request, .join, expiresAt: clock.now.advanced(bySeconds: Limits.joinCodeMinutes * 60))
    }

    /// `POST /v1/players/me/recovery`
    func makeRecoveryCode(_ request: Request) async throws -> Response {
        try await makeCode(request, .recovery, expiresAt: nil)
    }

    private func makeCode(_ request: Request, _ kind: PlayerCode.Kind, expiresAt: Instant?) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        // It would replace the owner's own recovery code.
        if kind == .recovery { try callers.requireVerified(device) }
        return try await rates.counting(rates.spender(device), in: .playerCodes) {
            let code = PlayerCode.generated(kind)
            let isMade = try await store.makeCode(
                secret.hash(of: code, in: device.game), kind: kind.rawValue, for: token, now: clock.now,
                expiresAt: expiresAt, isNewDevice: device.newUntil(at: clock.now) != nil)
            guard isMade else {
                // The device was there just now, so an older one has a code; or the device has been cut off since.
                try callers.requireVerified(device)
                throw Problem.unauthorized
            }
            let reply = Reply.DeviceCode(code: code.text, expiresAt: expiresAt.map(Timestamp.init))
            return (replies.own(.created, reply), counts: true)
        }
    }

    /// `POST /v1/games/{game}/players/{your-id}/codes`: makes a join code for a player, by the game's own id.
    func makeGameCode(_ request: Request, in game: Slug, _ id: String) async throws -> Response {
        let key = try callers.gameKey(request)
        let own = secret.hash(ofExternal: try Self.label(id), in: game)
        let player: Player
        switch try await store.judgeAccess(.key(key), to: own, in: game, now: clock.now) {
        case .known(let known), .renamed(let known): player = known
        case .nameMissing: throw Problem.noPlayerInGame
        case .noGame: throw Problem.noGame
        case .forbidden: throw Problem.otherGamesKey
        case .scope: throw Problem.missing(.register)
        case .banned: throw Problem.banned
        default: throw Problem.unauthorized
        }
        let code = PlayerCode.generated(.join)
        let end = clock.now.advanced(bySeconds: Limits.joinCodeMinutes * 60)
        let isMade = try await store.makeCode(
            secret.hash(of: code, in: game), for: player.id, knownAs: own, now: clock.now, expiresAt: end)
        guard isMade else { throw Problem.noPlayerInGame }
        return replies.own(.created, Reply.DeviceCode(code: code.text, expiresAt: Timestamp(end)))
    }

    /// Brings a device to the player of a code.
    /// - Parameters:
    ///   - typed: The code as somebody typed it.
    ///   - merges: Whether a player with a history becomes one with the code's player.
    func join(
        _ request: Request, _ device: DeviceHash, in game: Slug, by typed: String, access: Access,
        named name: PlayerName?, merges: Bool
    ) async throws -> JoinOutcome {
        // What has not the form of a code is looked for all the same, so that it takes as long to refuse.
        let code = PlayerCode(typed: typed) ?? .generated(.recovery)
        let joining = Joining(
            device, in: game, access: access, by: .code(secret.hash(of: code, in: game)),
            number: secret.number(of: device), name: name, now: clock.now)
        let outcome = try await rates.guessing(code.kind, in: game, of: request, isWrong: \.isCodeRefused) {
            let outcome = try await store.join(joining)
            guard merges, case .hasHistory = outcome else { return outcome }
            // A merge takes all devices of the player along.
            if case .token(let token) = access { _ = try await callers.verifiedDevice(token) }
            return try await writeBatcher.joinMerging(joining)
        }
        if case .joined = outcome { rankings.forgetCaller(on: device) }
        return outcome
    }
}

extension JoinOutcome { fileprivate var isCodeRefused: Bool { if case .codeRefused = self { true } else { false } } }
