import enum Contract.Reply
import struct Contract.Timestamp
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Awards of games, as players see them, and those that a game's server grants.
final class AwardHandlers: RouteHandlers {
    let store: Store
    let rankings: Rankings
    let secret: Secret
    let clock: ServerClock
    let callers: Callers
    let replies: Replies

    init(store: Store, rankings: Rankings, secret: Secret, clock: ServerClock, callers: Callers, replies: Replies) {
        (self.store, self.rankings, self.secret) = (store, rankings, secret)
        (self.clock, self.callers, self.replies) = (clock, callers, replies)
    }

    static func of(_ handlers: Handlers) -> AwardHandlers { handlers.awards }

    /// `GET /v1/games/{game}/awards`
    func gameAwards(_ request: Request, of game: Slug) async throws -> Response {
        guard try await store.admin.findGame(game) != nil else { throw Problem.noGame }
        let awards = try await store.awards(of: game).map { listing in
            Reply.Award(
                award: listing.slug.description, name: listing.award.name.description,
                text: listing.award.isSecret ? nil : listing.award.text?.description, secret: listing.award.isSecret,
                picture: replies.badge(of: listing.slug, in: game), givenTo: listing.givenCount)
        }
        return replies.cacheable(request, Reply.AwardList(awards: awards))
    }

    /// `GET /v1/players/me/awards`
    func myAwards(_ request: Request) async throws -> Response {
        let device = try await callers.readingDevice(request, in: nil)
        let awards = try await rankings.ownAwards(of: device.player).map { own in
            let isShown = !own.award.isSecret || own.givenAt != nil
            return Reply.OwnAward(
                award: own.slug.description, name: own.award.name.description,
                text: isShown ? own.award.text?.description : nil, secret: own.award.isSecret,
                picture: replies.badge(of: own.slug, in: device.game), givenAt: own.givenAt.map(Timestamp.init),
                occasion: own.occasion, times: own.timesCount, have: isShown ? own.have : nil,
                need: isShown ? own.need : nil)
        }
        return replies.own(.ok, Reply.OwnAwardList(awards: awards))
    }

    /// `PUT /v1/games/{game}/players/{your-id}/awards/{award}`, by the game's server.
    func grant(_ request: Request, in game: Slug, _ id: String, _ award: Slug) async throws -> Response {
        let key = try callers.gameKey(request)
        guard let found = try await store.findKey(key, now: clock.now) else { throw Problem.unauthorized }
        guard found.game == game else { throw Problem.otherGamesKey }
        guard found.scopes.allows(.award) else { throw Problem.missing(.award) }
        let own = secret.hash(ofExternal: try DeviceHandlers.label(id), in: game)
        let player = try await callers.known(.key(key, .external(own)), in: game)
        let outcome = try await store.grant(award, to: player, in: game, now: clock.now)
        switch outcome {
        case .granted, .known, .withdrawn: break
        case .otherRule: throw FieldError.notGranted
        case .noAward: throw Problem.noAward
        case .noPlayer: throw Problem.noPlayer
        }
        guard let given = try await store.shownAward(award, of: player) else { throw Problem.noPlayer }
        var response = replies.own(outcome == .known ? .ok : .created, given.reply)
        if outcome == .known { response.headers[.idempotentReplayed] = "true" }
        return response
    }
}

extension Replies {
    /// The address of an award's badge.
    func badge(of award: Slug, in game: Slug) -> String {
        links.resolved(Routes.pages.awardBadge.path(game, award, .png))
    }
}

extension GivenAward {
    var reply: Reply.GivenAward {
        Reply.GivenAward(award: award.description, name: name, givenAt: Timestamp(givenAt), occasion: occasion)
    }
}

// The sentences about awards.
extension Problem {
    static let noAward = Problem(.notFound, "The game has no such award. Use the slug of one of its awards.")
}

extension FieldError {
    static let notGranted = FieldError(
        "award", "This award follows from what players do. Only awards with the rule granted can be granted.")
}
