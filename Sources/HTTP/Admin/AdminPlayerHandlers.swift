import enum Contract.Reply
import struct Contract.Timestamp
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Players, as operators find and see them.
final class AdminPlayerHandlers: RouteHandlers {
    let store: Store
    let secret: Secret
    let clock: ServerClock
    let operators: OperatorKeys
    let replies: Replies

    init(store: Store, secret: Secret, clock: ServerClock, operators: OperatorKeys, replies: Replies) {
        (self.store, self.secret, self.clock, self.operators) = (store, secret, clock, operators)
        self.replies = replies
    }

    static func of(_ handlers: Handlers) -> AdminPlayerHandlers { handlers.adminPlayers }

    /// `GET /v1/admin/players?name=&id=&external=`, of one game with `game`.
    func adminPlayers(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .read)
        let page = try await playersPage(request.parameters())
        return replies.list(Self.playerList, page, at: Routes.admin.players.path(nil), as: format)
    }

    /// The players whom a query names by `name`, `id` or `external`.
    func playersPage(_ query: QueryParameters) async throws -> ListPage<FoundPlayer> {
        let game = try query["game"].map { text in
            guard let slug = Slug(text) else { throw Problem.noGame }
            return slug
        }
        let search: PlayerSearch
        switch (query["name"], query["id"], query["external"]) {
        case (let name?, nil, nil):
            guard name.utf8.count <= Limits.nameBytesMax, !name.utf8.contains(0) else { throw Problem.badSearchName }
            search = .name(name)
        case (nil, let id?, nil):
            guard let player = Player.ID(digits: id[...]) else { throw Problem.badPlayerID }
            search = .id(player)
        case (nil, nil, let external?):
            let label: DeviceLabel
            do { label = try DeviceLabel(external, field: "external") } catch { throw Problem.badPathLabel(error) }
            var games = game.map { [$0] }
            if games == nil { games = try await store.admin.games().compactMap { Slug($0.slug) } }
            search = .external((games ?? []).map { secret.hash(ofExternal: label, in: $0) })
        default: throw Problem.badSearchField
        }
        return try await found(search, in: game, at: Routes.admin.players.path(nil), query)
    }

    /// `POST /v1/admin/players/search` `{email}`: a POST, so that no log of addresses has it.
    func searchPlayers(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .personal)
        let page = try await playersPage(byEmail: request.fields(["email"]), request.parameters())
        return replies.list(Self.playerList, page, at: Routes.admin.playerSearch.path(nil), as: format)
    }

    func playersPage(byEmail fields: Fields, _ query: QueryParameters) async throws -> ListPage<FoundPlayer> {
        guard let email = try fields.text("email") else { throw FieldError("email", "email is missing. Send one.") }
        let address = try EmailAddress(email, field: "email")
        return try await found(.email(address.text), in: nil, at: Routes.admin.playerSearch.path(nil), query)
    }

    /// `GET /v1/admin/players/{player}`
    func adminPlayer(_ request: Request, _ id: Player.ID) async throws -> Response {
        let key = try await operators.admin(request, .read)
        guard let player = try await store.admin.findPlayerRecord(id, withAnonymous: key.scopes.allows(.personal))
        else { throw Problem.noPlayer }
        var members: [JSONTree.Member] = [
            .init("id", .integer(Int128(player.id.rawValue))), .init("game", .text(player.game)),
            .init("name", .text(player.name)),
            .init("avatar", player.avatar.map { .link(Routes.v1.avatar.path($0)) } ?? .none),
            .init("hidden", .boolean(player.isHidden)), .init("registered_at", .instant(player.registeredAt)),
            .init("flag", .text(ifAny: player.flag?.description)),
            .init("merged_into", player.mergedInto.map { .value(.integer(Int128($0.rawValue))) } ?? .value(.none)),
        ]
        for (name, points) in [
            ("earned", player.sums.earned), ("voided", player.sums.voided), ("held", player.sums.held),
            ("given", player.sums.donated), ("left", player.sums.left), ("scores", player.scoresCount),
            ("donations", player.donationsCount), ("devices", player.devicesCount),
        ] as [(StaticString, Int64)] { members.append(.init(name, .integer(Int128(points)))) }
        if key.scopes.allows(.personal) {
            let personal = player.personal
            members += [
                .init("email", .text(ifAny: personal.email)), .init("fb_uid", .text(ifAny: personal.facebookID)),
                .init("country", .text(ifAny: personal.country)),
                .init("send_updates", .boolean(personal.wantsUpdates)),
                .init("updates_since", .instant(ifAny: personal.updatesSince)),
                .init("updates_source", .text(ifAny: personal.updatesSource)),
            ]
        }
        return replies.own(.ok, .object(members))
    }

    /// `GET /v1/admin/players/{player}/ledger`. Who donated anonymously is personal, so such donations are there with
    /// `personal` alone.
    func adminLedger(_ request: Request, of id: Player.ID, _ format: ListFormat?) async throws -> Response {
        let key = try await operators.admin(request, .read)
        let query = try request.parameters()
        let page = try await ledgerPage(query, of: id, for: key)
        return replies.list(Self.ledgerList, page, at: Routes.admin.ledger.path(id, nil), as: format)
    }

    func ledgerPage(_ query: QueryParameters, of id: Player.ID, for key: AdminKey) async throws -> ListPage<LedgerRow> {
        try await replies.page(query, at: Routes.admin.ledger.path(id, nil)) { page in
            let before = try page.historyKey()
            guard try await store.admin.findPlayerRecord(id, withAnonymous: false) != nil else {
                throw Problem.noPlayer
            }
            return try await store.admin.ledger(
                of: id, before: before, limitRows: page.limitRows + 1, withAnonymous: key.scopes.allows(.personal))
        } cursor: {
            ($0.reachedAt.microsecondsSince1970, $0.id.text)
        }
    }

    private func found(_ search: PlayerSearch, in game: Slug?, at path: String, _ query: QueryParameters) async throws
        -> ListPage<FoundPlayer>
    {
        try await replies.page(query, at: path) { page in
            let after = Player.ID(rawValue: page.after?.number ?? 0)
            return try await store.admin.players(search, in: game, after: after, limitRows: page.limitRows + 1)
        } cursor: {
            ($0.id.rawValue, "")
        }
    }

    static let playerList = AdminList<FoundPlayer>(
        name: "players",
        columns: [
            Column("id", .integer), Column("game", .text), Column("name", .text), Column("registered_at", .instant),
            Column("hidden", .boolean),
        ]
    ) { player in
        let values: [Value] = [
            .integer(Int128(player.id.rawValue)), .text(player.game), .text(player.name), .instant(player.registeredAt),
            .boolean(player.isHidden),
        ]
        return values.map(JSONTree.value)
    }

    static let ledgerList = AdminList<LedgerRow>(
        name: "ledger",
        columns: [
            Column("kind", .text), Column("id", .text), Column("game", .text), Column("board", .text),
            Column("season", .integer), Column("charity", .text), Column("points", .integer),
            Column("earned", .integer), Column("anonymous", .boolean), Column("played_at", .instant),
            Column("reached_at", .instant), Column("state", .text),
        ]
    ) { row in
        let values: [Value] = [
            .text(row.kind), .text(row.id.text), .text(ifAny: row.game), .text(ifAny: row.board),
            row.season.map { .integer(Int128($0)) } ?? .none, .text(ifAny: row.charity), .integer(Int128(row.points)),
            row.earned.map { .integer(Int128($0)) } ?? .none, row.isAnonymous.map(Value.boolean) ?? .none,
            .instant(ifAny: row.playedAt), .instant(row.reachedAt), .text(row.state),
        ]
        return values.map(JSONTree.value)
    }
}

// A player's challenges, plan and awards. The plan and the list of challenges are personal.
extension AdminPlayerHandlers {
    /// `GET /v1/admin/players/{player}/activity`
    func adminActivity(_ request: Request, _ player: Player.ID) async throws -> Response {
        try await operators.admin(request, .personal)
        let activity = try await activity(of: player)
        let challenges = activity.challenges.compactMap { replies.challenge($0, nil) }.map { JSONTree($0) }
        return replies.own(
            .ok,
            .object([
                .init("challenges", .list(challenges)),
                .init("plan", activity.plan.map { JSONTree($0.reply()) } ?? .value(.none)),
                .init("runs", .list(activity.runs.map { JSONTree($0.reply) })),
                .init("awards", .list(activity.awards.map { JSONTree($0.reply) })),
            ]))
    }

    /// For a merged player, the activity of its survivor.
    func activity(of player: Player.ID) async throws -> PlayerActivity {
        guard let record = try await store.admin.findPlayerRecord(player, withAnonymous: false) else {
            throw Problem.noPlayer
        }
        return try await store.activity(of: record.mergedInto ?? player, now: clock.now)
    }
}

// A player's ties, which nobody but the player sees otherwise: they are personal.
extension AdminPlayerHandlers {
    /// `GET /v1/admin/players/{player}/friends`
    func adminFriends(_ request: Request, _ player: Player.ID) async throws -> Response {
        try await operators.admin(request, .personal)
        return replies.own(.ok, replies.friendList(try await ties(of: player)))
    }

    /// A player's friends, friend requests and blocks, as the player sees them. A merged player has its survivor's.
    func ties(of player: Player.ID) async throws -> [OwnTie] {
        guard let record = try await store.admin.findPlayerRecord(player, withAnonymous: false) else {
            throw Problem.noPlayer
        }
        return try await store.ties(of: record.mergedInto ?? player)
    }
}

// Join codes that operators make for players who have lost their devices.
extension AdminPlayerHandlers {
    /// `POST /v1/admin/players/{player}/codes`
    func adminCode(_ request: Request, _ player: Player.ID) async throws -> Response {
        let (code, expiresAt) = try await makeCode(for: player, by: try await operators.admin(request, .moderate))
        return replies.own(.created, Reply.DeviceCode(code: code.text, expiresAt: Timestamp(expiresAt)))
    }

    /// Makes a join code for a player and revokes the previous one. Its user sees all that the player sees, so the key
    /// needs `personal`.
    func makeCode(for player: Player.ID, by admin: AdminKey) async throws -> (PlayerCode, expiresAt: Instant) {
        try admin.check([.personal])
        guard let record = try await store.admin.findPlayerRecord(player, withAnonymous: false),
            let game = Slug(record.game)
        else { throw Problem.noPlayer }
        let code = PlayerCode.generated(.join)
        let expiresAt = clock.now.advanced(bySeconds: Limits.joinCodeMinutes * 60)
        let isMade = try await store.makeCode(
            secret.hash(of: code, in: game), for: player, by: admin.id.text, now: clock.now, expiresAt: expiresAt)
        guard isMade else { throw try await store.noPlayer(player) }
        return (code, expiresAt)
    }
}
