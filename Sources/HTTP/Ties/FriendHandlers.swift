import enum Contract.Keys
import enum Contract.Reply
import struct Contract.Timestamp
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// A player's friends, friend requests, friend codes and blocks.
final class FriendHandlers: RouteHandlers {
    let store: Store
    let rankings: Rankings
    let secret: Secret
    let clock: ServerClock
    let callers: Callers
    let rates: RequestRates
    let replies: Replies

    init(
        store: Store, rankings: Rankings, secret: Secret, clock: ServerClock, callers: Callers, rates: RequestRates,
        replies: Replies
    ) {
        (self.store, self.rankings, self.secret, self.clock) = (store, rankings, secret, clock)
        (self.callers, self.rates, self.replies) = (callers, rates, replies)
    }

    static func of(_ handlers: Handlers) -> FriendHandlers { handlers.friends }

    /// `GET /v1/players/me/friends`
    func myFriends(_ request: Request) async throws -> Response {
        let device = try await callers.readingDevice(request, in: nil)
        try device.friends.require()
        return replies.own(.ok, replies.friendList(try await rankings.ties(of: device.player)))
    }

    /// `POST /v1/players/me/friends/codes`
    func makeFriendCode(_ request: Request) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        try device.friends.require()
        try rates.count(device, in: .playerFriends)
        let code = PlayerCode.generated(.friend)
        let end = clock.now.advanced(bySeconds: Limits.friendCodeHours * 3_600)
        let isMade = try await store.makeFriendCode(
            secret.hash(of: code, in: device.game), for: token, now: clock.now, expiresAt: end)
        guard isMade else { throw Problem.unauthorized }
        return replies.own(.created, Reply.FriendCode(code: code.text, expiresAt: Timestamp(end)))
    }

    /// `POST /v1/players/me/friends`
    func useFriendCode(_ request: Request) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        try device.friends.require()
        try rates.count(device, in: .playerFriends)
        let fields = try request.fields(Keys.FriendCodeUse.names)
        guard let typed = try fields.text(Keys.FriendCodeUse.code.rawValue) else { throw FieldError.friendCodeMissing }
        // Refusing any code takes the same work: a malformed one is looked up too, and one that is not found is used as
        // the player's own.
        let code = PlayerCode(typed: typed, kinds: [.friend]) ?? .generated(.friend)
        let hash = secret.hash(of: code, in: device.game)
        let (outcome, maker, name) = try await rates.guessing(
            code.kind, in: device.game, of: request, isWrong: { $0.outcome == .refused }
        ) { () -> (outcome: TieOutcome, maker: Player.ID, name: String) in
            let now = clock.now
            let maker = try await store.findMaker(of: hash, now: now) ?? device.player
            let befriended = try await store.befriend(maker, by: hash, device: device, with: token, now: now)
            return (befriended.outcome, maker, befriended.name ?? "")
        }
        try Self.check(outcome)
        rankings.forgetFriends(of: [device.player, maker])
        let isKnown = outcome == .known
        var response = replies.own(isKnown ? .ok : .created, Reply.FriendMade(player: maker.rawValue, name: name))
        if isKnown { response.headers[.idempotentReplayed] = "true" }
        return response
    }

    /// `PUT /v1/players/me/friends/{player}`. The answer does not reveal the other player's tie unless it is `yes`.
    func ask(_ request: Request, _ named: Player.ID) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        guard device.friends == .requests else { throw Problem.noRequests }
        try rates.count(device, in: .playerFriends)
        let other = try await rankings.survivor(of: named)
        let (outcome, areFriends, _) = try await store.befriend(other, device: device, with: token, now: clock.now)
        if outcome == .noPlayer { throw try await store.noPlayer(other, else: .noPlayerInGame) }
        try Self.check(outcome)
        rankings.forgetFriends(of: [device.player, other])
        var response = replies.own(.ok, Reply.FriendState(state: areFriends ? .friends : .asking))
        if outcome == .known { response.headers[.idempotentReplayed] = "true" }
        return response
    }

    /// `DELETE /v1/players/me/friends/{player}`
    func end(_ request: Request, _ named: Player.ID) async throws -> Response {
        try await changing(request, named) { token, device, other in
            try await store.end(with: other, by: device, with: token, now: clock.now)
        }
    }

    /// `PUT /v1/players/me/blocks/{player}`
    func block(_ request: Request, _ named: Player.ID) async throws -> Response {
        try await changing(request, named) { token, device, other in
            try await store.block(other, by: device, with: token, now: clock.now)
        }
    }

    /// `DELETE /v1/players/me/blocks/{player}`
    func unblock(_ request: Request, _ named: Player.ID) async throws -> Response {
        try await changing(request, named) { token, device, other in
            try await store.unblock(other, by: device, with: token, now: clock.now)
        }
    }

    /// Changes a tie. Unlike requests, this is allowed whatever the game's setting is, and has a limit of its own, so
    /// that whoever has sent many requests can still block.
    private func changing(
        _ request: Request, _ named: Player.ID,
        _ change: (TokenHash, CallingDevice, Player.ID) async throws -> TieOutcome
    ) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        try rates.count(device, in: .playerBlocks)
        let other = try await rankings.survivor(of: named)
        let outcome = try await change(token, device, other)
        if outcome == .noPlayer { throw try await store.noPlayer(other, else: .noPlayerInGame) }
        try Self.check(outcome, of: .blocksFull)
        rankings.forgetFriends(of: [device.player, other])
        return Response(status: .noContent, headers: [.cacheControl: "private, no-store"])
    }

    /// - Parameter full: The problem to throw when the player has reached its limit.
    /// - Throws: Unless the tie is as the player wants it.
    private static func check(_ outcome: TieOutcome, of full: Problem = .friendsFull) throws(Problem) {
        switch outcome {
        case .said, .known: return
        case .full: throw full
        case .refused: throw .friendCodeRefused
        case .off: throw .noFriends
        case .noPlayer: throw .noPlayerInGame
        case .unauthorized: throw .unauthorized
        case .changed: throw .bug
        }
    }
}

extension Replies {
    /// A player's ties as the player sees them.
    func friendList(_ ties: [OwnTie]) -> Reply.FriendList {
        let ties = Dictionary(grouping: ties, by: \.list)
        func friends(_ list: OwnTie.List) -> [Reply.Friend] { (ties[list] ?? []).map(friend) }
        let blocked = (ties[.blocked] ?? []).map { tie in
            Reply.BlockedPlayer(player: tie.other.id.rawValue, name: tie.other.name, at: Timestamp(tie.at))
        }
        return Reply.FriendList(
            friends: friends(.friend), asked: friends(.asked), asking: friends(.asking), blocked: blocked)
    }

    private func friend(_ tie: OwnTie) -> Reply.Friend {
        let player = player(tie.other.id, tie.other.name, tie.other.avatar)
        // Only the day: a time would tell when the other player was awake.
        return Reply.Friend(player: player.id, name: player.name, avatar: player.avatar, since: tie.at.dayInUTC.isoDate)
    }
}

extension FriendRules {
    /// - Throws: 403 when the game has friends turned off.
    func require() throws(Problem) { if self == .off { throw .noFriends } }
}

// Problems of friends.
extension Problem {
    static let noFriends = Problem(.forbidden, "Friends are off in this game. Its operator can turn them on.")
    static let noRequests = Problem(
        .forbidden,
        "Friend requests are off in this game. Make a friend code with \(Routes.v1.myFriendCodes.name(.post)).")
    /// The same text for every refused code, so that it reveals neither codes nor blocks.
    static let friendCodeRefused = Problem(
        .codeRefused,
        "This friend code does not work: it is wrong, used up, expired or your own. Ask your friend for a new one.",
        field: "code")
    static let friendsFull = Problem(
        .friendsFull,
        "You have \(Limits.friendsMax) friends and sent requests, which is the limit. End a friendship or request with "
            + "\(Routes.v1.myFriend.name(.delete)).")
    static let blocksFull = Problem(
        .friendsFull,
        "You have blocked \(Limits.blockedMax) players, which is the limit. Before you block another, end a block with "
            + "\(Routes.v1.myBlock.name(.delete)).")
}

extension FieldError {
    static let friendCodeMissing = FieldError("code", "code is missing. Send the friend code of the other player.")
}
