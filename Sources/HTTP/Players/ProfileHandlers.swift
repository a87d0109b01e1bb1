import enum Contract.Keys
import enum Contract.Reply
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Profiles of players: the public one, and the player's own.
final class ProfileHandlers: RouteHandlers {
    let store: Store
    let rankings: Rankings
    let secret: Secret
    let clock: ServerClock
    let callers: Callers
    let rates: RequestRates
    let replies: Replies
    let registrations: RegistrationReader

    init(
        store: Store, rankings: Rankings, secret: Secret, clock: ServerClock, callers: Callers, rates: RequestRates,
        replies: Replies, registrations: RegistrationReader
    ) {
        (self.store, self.rankings, self.secret, self.clock, self.callers) = (store, rankings, secret, clock, callers)
        (self.rates, self.replies, self.registrations) = (rates, replies, registrations)
    }

    static func of(_ handlers: Handlers) -> ProfileHandlers { handlers.profiles }

    /// `GET /v1/players/{player}`
    func publicPlayer(_ request: Request, _ id: Player.ID) async throws -> Response {
        let player = try await rankings.survivor(of: id)
        guard let (profile, bests, donations, awards) = try await store.findPublicProfile(of: player) else {
            throw try await store.noPlayer(player)
        }
        let bestTrees = bests.map { best in
            JSONTree.object([
                .init("game", .text(best.game)), .init("board", .text(best.board)),
                .init("points", .integer(Int128(best.points))), .init("reached_at", .instant(best.reachedAt)),
            ])
        }
        let donationTrees = donations.map { donation in
            JSONTree.object([
                .init("charity", .text(donation.charity)), .init("points", .integer(Int128(donation.points))),
            ])
        }
        return replies.cacheable(
            request,
            .object(
                JSONTree(replies.player(profile.id, profile.name, profile.avatar)).members + [
                    .init("flag", .text(ifAny: profile.flag?.description)), .init("bests", .list(bestTrees)),
                    .init("gifts", .list(donationTrees)), .init("awards", .list(awards.map { JSONTree($0.reply) })),
                ]))
    }

    /// `GET /v1/players/me`
    func me(_ request: Request) async throws -> Response {
        try await ownEntity(of: callers.callingPlayer(request, in: nil)).response(to: request.headers)
    }

    /// `PATCH /v1/players/me` takes a JSON merge patch (RFC 7396).
    func changeMe(_ request: Request) async throws -> Response {
        let token = try callers.playerToken(request)
        return try await rates.storing(
            RequestRates.bytesOfProfile(in: request), of: request, by: rates.owner(of: token)
        ) { try await changeMe(request, token) }
    }

    /// - Returns: The response, and whether the request stored anything new.
    private func changeMe(_ request: Request, _ token: TokenHash) async throws -> (Response, stays: Bool) {
        let fields = try request.fields(RegistrationReader.fields)
        var registration = try await registrations.read(fields, source: Routes.v1.me.name(.patch)) {
            _ = try await callers.known(.token(token, claims: nil), in: nil)
        }
        registration.isUnlisted = try fields.boolean(Keys.ProfileChange.unlisted.rawValue)
        registration.takesAsks = try fields.boolean(Keys.ProfileChange.asks.rawValue)
        registration.flag = try registrations.flag(fields)
        let outcome = try await rates.countingRenames(of: { try await self.rates.renamer(by: token) }, registration) {
            registration in try await store.change(registration, ofToken: token, now: clock.now)
        }
        switch outcome {
        case .known(let player), .renamed(let player):
            await callers.noteUse(ofToken: token)
            rankings.forgetSummary(of: player.id)
            // The patch is answered, whatever the client has of the profile.
            let response = try await ownEntity(of: player.id).response(to: RequestHeaders())
            return (response, registration.stays(outcome))
        case .nameRefused: throw FieldError.looksLikeCharity(Keys.ProfileChange.name.rawValue)
        case .unauthorized: throw Problem.unauthorized
        case .banned: throw Problem.banned
        case .pictureRefused: throw Problem.pictureRefused(Keys.ProfileChange.image.rawValue)
        case .noFlags: throw FieldError.noFlags
        case .flagFixed(let again): throw Problem.flagFixed(until: again)
        case .registered, .nameMissing, .wrongDevice, .noGame, .labelTaken, .otherLabel, .forbidden, .scope,
            .tokenNeeded, .tooManyRenames:
            throw Problem.bug
        }
    }

    /// The own profile of a player.
    func ownEntity(of player: Player.ID) async throws -> Entity {
        let (profile, donations, saves, awards) = try await rankings.ownProfile(of: player)
        let shown = profile.shown
        let reply = Reply.Profile(
            replies.player(shown.id, shown.name, shown.avatar), shownName: profile.shownName, country: profile.country,
            flag: shown.flag?.description, sendUpdates: profile.wantsUpdates, earned: profile.earned,
            held: profile.held, left: profile.balance, settling: profile.settling, given: profile.donated,
            gifts: donations.map { .init(charity: $0.charity, points: $0.points, anonymous: $0.isAnonymous) },
            devices: Int(profile.devicesCount), unlisted: profile.isUnlisted, asks: profile.takesAsks,
            awards: .init(count: awards.count, newest: awards.newest?.description),
            saves: saves.map { .init(slot: $0.slot.description, etag: $0.etag.text) },
            plan: profile.planNextOn.map { .init(nextOn: $0.isoDate) },
            challenges: profile.challenges.map(replies.notice))
        return Entity(
            bytes: JSONTree(reply).bytes(links: replies.links), contentType: "application/json", caching: .own,
            isGzip: false)
    }
}
