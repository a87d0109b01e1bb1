import Credentials
import Domain
import Feeds
import HTTPTypes
import Leaderboard
import Storage

// Join codes that operators make for players who have lost their devices.
extension Responder {
    /// `POST /v1/admin/players/{player}/codes`
    func adminCode(_ request: Request, _ player: Player.ID) async throws -> Response {
        let (code, expiresAt) = try await makeCode(for: player, by: try await admin(request, .moderate))
        return ownReply(.created, .object([.init("code", .text(code.text)), .init("expires_at", .instant(expiresAt))]))
    }

    /// Makes a join code for a player and revokes the previous one. Its user sees all that the player sees, so the key
    /// needs `personal`.
    func makeCode(for player: Player.ID, by admin: AdminKey) async throws -> (PlayerCode, expiresAt: Instant) {
        try admin.check([.personal])
        guard let record = try await store.findPlayerRecord(player, withAnonymous: false), let game = Slug(record.game)
        else { throw Problem.noPlayer }
        let code = PlayerCode.generated(.join)
        let expiresAt = clock.now.advanced(bySeconds: Limits.joinCodeMinutes * 60)
        let isMade = try await store.makeCode(
            secret.hash(of: code, in: game),
            for: player,
            by: admin.id.text,
            now: clock.now,
            expiresAt: expiresAt
        )
        guard isMade else { throw try await noPlayer(player) }
        return (code, expiresAt)
    }
}
