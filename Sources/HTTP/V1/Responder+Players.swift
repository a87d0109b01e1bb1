import Domain
import Feeds
import HTTPTypes
import Leaderboard
import Storage

// Profiles of players: the public one, and the player's own.
extension Responder {
    /// `GET /v1/players/{player}`
    func publicPlayer(_ request: Request, _ id: Player.ID) async throws -> Response {
        let player = try await rankings.survivor(of: id)
        guard let (profile, bests, donations) = try await store.findPublicProfile(of: player) else {
            throw try await noPlayer(player)
        }
        let bestTrees = bests.map { best in
            JSONTree.object([
                .init("game", .text(best.game)), .init("board", .text(best.board)),
                .init("points", .integer(Int128(best.points))),
                .init("reached_at", .instant(best.reachedAt)),
            ])
        }
        let donationTrees = donations.map { donation in
            JSONTree.object([
                .init("charity", .text(donation.charity)), .init("points", .integer(Int128(donation.points))),
            ])
        }
        return publicReply(
            request,
            .object(
                Self.members(profile.id, profile.name, profile.avatar) + [
                    .init("bests", .list(bestTrees)), .init("gifts", .list(donationTrees)),
                ]
            )
        )
    }

    /// `GET /v1/players/me`
    func me(_ request: Request) async throws -> Response {
        try await ownReply(of: callingPlayer(request, in: nil))
    }

    /// `PATCH /v1/players/me` takes a JSON merge patch (RFC 7396).
    func changeMe(_ request: Request) async throws -> Response {
        let token = try playerToken(request)
        let fields = try request.fields(Self.playerFields)
        var registration = try await registration(fields, source: Routes.me.name(.patch)) {
            _ = try await known(.token(token, claims: nil), in: nil)
        }
        registration.isUnlisted = try fields.boolean("unlisted")
        let outcome = try await countingRenames(of: BucketKey(token), registration) { registration in
            try await store.change(registration, ofToken: token, now: clock.now)
        }
        switch outcome {
        case .known(let player), .renamed(let player):
            rankings.forgetSummary(of: player.id)
            return try await ownReply(of: player.id)
        case .nameRefused: throw FieldError.looksLikeCharity("name")
        case .unauthorized: throw Problem.unauthorized
        case .banned: throw Problem.banned
        case .pictureRefused: throw Problem.pictureRefused("image")
        case .registered, .nameMissing, .wrongDevice, .noGame, .forbidden, .scope, .tokenNeeded, .tooManyRenames:
            throw Problem.bug
        }
    }

    private func ownReply(of player: Player.ID) async throws -> Response {
        let (profile, donations) = try await store.ownProfile(of: player, now: clock.now)
        let donationTrees = donations.map { donation in
            JSONTree.object([
                .init("charity", .text(donation.charity)), .init("points", .integer(Int128(donation.points))),
                .init("anonymous", .boolean(donation.isAnonymous)),
            ])
        }
        return ownReply(
            .ok,
            .object(
                Self.members(profile.shown.id, profile.shown.name, profile.shown.avatar) + [
                    .init("shown_name", .text(ifAny: profile.shownName)),
                    .init("country", .text(ifAny: profile.country)),
                    .init("send_updates", .boolean(profile.wantsUpdates)),
                    .init("earned", .integer(Int128(profile.earned))), .init("held", .integer(Int128(profile.held))),
                    .init("left", .integer(Int128(profile.balance))),
                    .init("settling", .integer(Int128(profile.settling))),
                    .init("given", .integer(Int128(profile.given))),
                    .init("gifts", .list(donationTrees)),
                    .init("devices", .integer(Int128(profile.devicesCount))),
                    .init("unlisted", .boolean(profile.isUnlisted)),
                ]
            )
        )
    }
}
