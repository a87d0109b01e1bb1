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

/// Teams of players: a player makes one or joins by a code, and its captain changes it.
final class TeamHandlers: RouteHandlers {
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

    static func of(_ handlers: Handlers) -> TeamHandlers { handlers.teams }

    /// `GET /v1/players/me/team`
    func myTeam(_ request: Request) async throws -> Response {
        let device = try await callers.callingDevice(callers.playerToken(request))
        guard let reply = try await ownTeam(of: device) else { throw Problem.inNoTeam }
        return replies.own(.ok, reply)
    }

    /// `PUT /v1/players/me/team`
    func enterTeam(_ request: Request) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        let fields = try request.fields(Keys.TeamEntry.names)
        let (make, typed) = (
            try fields.text(Keys.TeamEntry.make.rawValue), try fields.text(Keys.TeamEntry.code.rawValue)
        )
        return try await rates.counting(rates.spender(device), in: .playerTeams) {
            let outcome = try await enterTeam(make: make, code: typed, request, device, token)
            guard let team = try await store.team(of: device.player) else { throw Problem.inNoTeam }
            rankings.forgetTeams([team.id], of: [device.player])
            var response = replies.own(outcome == .known ? .ok : .created, team.reply)
            if outcome == .known { response.headers[.idempotentReplayed] = "true" }
            return (response, counts: outcome != .known)
        }
    }

    private func enterTeam(
        make: String?, code typed: String?, _ request: Request, _ device: CallingDevice, _ token: TokenHash
    ) async throws -> TeamOutcome {
        let now = clock.now
        let outcome: TeamOutcome
        switch (make, typed) {
        case (let name?, nil):
            outcome = try await store.makeTeam(
                try PlayerName(name, field: Keys.TeamEntry.make.rawValue), by: device.player, with: token, now: now,
                code: code(at: now, in: device.game))
        case (nil, let typed?):
            // What has not the form of a code is looked for all the same, so that it takes as long to refuse.
            let code = PlayerCode(typed: typed, kinds: [.team]) ?? .generated(.team)
            let hash = secret.hash(of: code, in: device.game)
            outcome = try await rates.guessing(code.kind, in: device.game, of: request, isWrong: { $0 == .refused }) {
                try await store.joinTeam(by: hash, device.player, with: token, now: now)
            }
        default: throw FieldError.teamEntry
        }
        try outcome.check(field: Keys.TeamEntry.make.rawValue)
        return outcome
    }

    /// `DELETE /v1/players/me/team`. Whoever is in a team may leave it, whatever the game allows by now.
    func leaveTeam(_ request: Request) async throws -> Response {
        let device = try await callers.callingDevice(callers.playerToken(request))
        try await store.leaveTeam(device.player, now: clock.now)
        rankings.forgetTeams([], of: [device.player])
        return Response(status: .noContent, headers: [.cacheControl: "private, no-store"])
    }

    /// `PATCH /v1/players/me/team`, by the captain.
    func changeTeam(_ request: Request) async throws -> Response {
        let token = try callers.playerToken(request)
        let device = try await callers.writingDevice(token)
        let fields = try request.fields(Keys.TeamChange.names)
        var change = TeamChange()
        if let name = try fields.text(Keys.TeamChange.name.rawValue) {
            change.name = try PlayerName(name, field: Keys.TeamChange.name.rawValue)
        }
        change.captain = try await player(fields, Keys.TeamChange.captain.rawValue)
        change.removed = try await player(fields, Keys.TeamChange.remove.rawValue)
        if let code = try fields.text(Keys.TeamChange.code.rawValue) {
            guard code.utf8.elementsEqual("new".utf8) else { throw FieldError.teamCode }
            change.makesCode = true
        }
        // A stranger's device must not take a team from its captain.
        if change.captain != nil || change.makesCode { try callers.requireVerified(device) }
        return try await rates.counting(rates.spender(device), in: .playerTeams) { [change] in
            let now = clock.now
            let outcome = try await store.changeTeam(
                change, by: device.player, with: token, now: now, code: code(at: now, in: device.game))
            try outcome.check(field: Keys.TeamChange.name.rawValue)
            rankings.forgetTeams([], of: [device.player] + [change.removed].compactMap(\.self))
            guard let reply = try await ownTeam(of: device) else { throw Problem.inNoTeam }
            return (replies.own(.ok, reply), counts: true)
        }
    }

    private func player(_ fields: Fields, _ name: String) async throws -> Player.ID? {
        guard fields.presence(of: name) != .absent else { return nil }
        guard let id = try fields.integer(name), (1...Limits.playerIDMax).contains(id) else {
            throw FieldError(name, "\(name) is no player id. Send the number of a member.")
        }
        return try await rankings.survivor(of: Player.ID(rawValue: id))
    }

    private func code(at instant: Instant, in game: Slug) -> @Sendable (Team.ID) -> CodeHash {
        { [secret] team in secret.hash(of: secret.teamCode(of: team, madeAt: instant), in: game) }
    }

    private func ownTeam(of device: CallingDevice) async throws -> Reply.OwnTeam? {
        guard let team = try await store.team(of: device.player) else { return nil }
        let members = try await store.roster(of: team.id, withUnlisted: true).map(reply)
        let code = team.codeMadeAt.map { secret.teamCode(of: team.id, madeAt: $0).text }
        return Reply.OwnTeam(team.reply, members: members, code: code)
    }

    private func reply(_ member: TeamMember) -> Reply.TeamMember {
        let player = replies.player(member.player.id, member.player.name, member.player.avatar)
        return Reply.TeamMember(
            player: player.id, name: player.name, avatar: player.avatar, role: member.isCaptain ? .captain : .member)
    }
}

// Teams as everybody sees them.
extension TeamHandlers {
    /// `GET /v1/games/{game}/teams/{team}`
    func team(_ request: Request, in game: Slug, _ id: String) async throws -> Response {
        guard let id = Team.ID(digits: id[...]), let team = try await store.findTeam(id, in: game) else {
            throw Problem.noTeam
        }
        return replies.cacheable(request, try await reply(team))
    }

    private func reply(_ team: Team) async throws -> Reply.Team {
        Reply.Team(
            id: team.id.rawValue, name: team.name, members: Int(clamping: team.membersCount),
            madeAt: Timestamp(team.madeAt), closedAt: team.closedAt.map(Timestamp.init),
            roster: team.showsRoster ? try await store.roster(of: team.id, withUnlisted: false).map(reply) : nil)
    }

    /// `POST /v1/games/{game}/teams/{team}/report`. It is only kept; the operators judge it.
    func reportTeam(_ request: Request, in game: Slug, _ id: String) async throws -> Response {
        let device = try await callers.writingDevice(callers.playerToken(request))
        guard let team = Team.ID(digits: id[...]) else { throw Problem.noTeam }
        let fields = try request.fields(["why"])
        guard let why = try fields.text("why"), why.utf8.elementsEqual("name".utf8) else { throw FieldError.teamReport }
        return try await rates.counting(rates.spender(device), in: .playerReports) {
            let source = rates.clientAddress(of: request).map { secret.number(ofReporters: $0.largestBlock.bytes) }
            let isKnown = try await store.reportTeam(team, in: game, by: device.player, from: source, now: clock.now)
            guard let isKnown else { throw Problem.noTeam }
            var response = replies.own(.accepted, .object([]))
            if isKnown { response.headers[.idempotentReplayed] = "true" }
            return (response, counts: !isKnown)
        }
    }

    /// `PUT /v1/games/{game}/teams/{team}`, by the game's server, under an id of its own.
    func putTeam(_ request: Request, in game: Slug, _ external: String) async throws -> Response {
        try await requireGroups(request, in: game)
        let external = try DeviceHandlers.label(external)
        let fields = try request.fields(["name"])
        guard let name = try fields.text("name") else { throw FieldError.teamName }
        let (outcome, id) = try await store.putTeam(
            external.text, named: try PlayerName(name, field: "name"), in: game, now: clock.now)
        try outcome.check(field: "name")
        guard let id, let team = try await store.findTeam(id, in: game, withHidden: true) else { throw Problem.noTeam }
        rankings.forgetTeams([team.id])
        var response = replies.own(outcome == .made ? .created : .ok, try await reply(team))
        if outcome == .known { response.headers[.idempotentReplayed] = "true" }
        return response
    }

    /// `PUT /v1/games/{game}/teams/{team}/members/{your-id}`, by the game's server.
    func placeMember(_ request: Request, in game: Slug, _ external: String, _ id: String) async throws -> Response {
        let key = try await requireGroups(request, in: game)
        let external = try DeviceHandlers.label(external)
        let player = try await player(id, in: game, by: key)
        let outcome = try await store.place(player, in: external.text, of: game, now: clock.now)
        try outcome.check(field: "name")
        guard let team = try await store.team(of: player) else { throw Problem.noTeam }
        rankings.forgetTeams([team.id], of: [player])
        var response = replies.own(outcome == .known ? .ok : .created, team.reply)
        if outcome == .known { response.headers[.idempotentReplayed] = "true" }
        return response
    }

    /// `DELETE /v1/games/{game}/teams/{team}/members/{your-id}`, by the game's server.
    func removeMember(_ request: Request, in game: Slug, _ external: String, _ id: String) async throws -> Response {
        let key = try await requireGroups(request, in: game)
        let external = try DeviceHandlers.label(external)
        let player = try await player(id, in: game, by: key)
        try await store.remove(player, from: external.text, of: game, now: clock.now).check(field: "name")
        rankings.forgetTeams([], of: [player])
        return Response(status: .noContent, headers: [.cacheControl: "private, no-store"])
    }

    /// - Throws: 401 for a key that is none, 403 for a player's token, another game's key, and one without the scope.
    @discardableResult private func requireGroups(_ request: Request, in game: Slug) async throws -> TokenHash {
        let key = try callers.gameKey(request)
        guard let found = try await store.findKey(key, now: clock.now) else { throw Problem.unauthorized }
        guard found.game == game else { throw Problem.otherGamesKey }
        guard found.scopes.allows(.groups) else { throw Problem.missing(.groups) }
        return key
    }

    /// A player by the game's own id.
    private func player(_ id: String, in game: Slug, by key: TokenHash) async throws -> Player.ID {
        let own = secret.hash(ofExternal: try DeviceHandlers.label(id), in: game)
        return try await callers.known(.key(key, .external(own)), in: game)
    }
}

extension OwnTeam {
    fileprivate var reply: Reply.TeamMembership {
        Reply.TeamMembership(
            id: id.rawValue, name: name, role: isCaptain ? .captain : .member, firstDay: firstDay.isoDate)
    }
}

extension TeamOutcome {
    /// - Parameter field: The field with a name that may be refused.
    /// - Throws: Unless what was asked for is so now.
    fileprivate func check(field: String) throws {
        switch self {
        case .made, .joined, .renamed, .handedOver, .known: return
        case .inTeam: throw Problem.inTeam
        case .full: throw Problem.teamFull
        case .noRoom: throw Problem.noRoomForTeams
        case .refused: throw Problem.teamCodeRefused
        case .nameRefused: throw FieldError.teamNameRefused(field)
        case .off: throw Problem.noTeams
        case .noGame: throw Problem.noGame
        case .noTeam: throw Problem.noTeam
        case .noPlayer: throw Problem.notInTeam
        case .forbidden: throw Problem.notCaptain
        case .unauthorized: throw Problem.unauthorized
        case .changed, .taken: throw Problem.busy
        }
    }
}

// The sentences about teams.
extension Problem {
    static let noTeam = Problem(.notFound, "There is no such team in this game.")
    static let inNoTeam = Problem(.notFound, "You are in no team.")
    static let inTeam = Problem(.inTeam, "The player is already in another team. Leave that team first.")
    static let teamFull = Problem(.teamFull, "The team is full. Another member must leave before the player can join.")
    static let noRoomForTeams = Problem(
        .teamFull, "The game has \(Limits.teamsOfGameMax) open teams, which is the limit. Join one of them.")
    /// One text for every code by which nobody joins, so that it tells nothing of codes.
    static let teamCodeRefused = Problem(
        .codeRefused, "The team code is wrong or no longer valid. Ask the captain for a new code.", field: "code")
    static let noTeams = Problem(
        .forbidden,
        "Players cannot make or join teams in this game. Its operator can allow that, or its server can do it.")
    static let notCaptain = Problem(.forbidden, "Only the captain can change a team.")
    static let notInTeam = Problem(.notFound, "The player is not in this team.")
}

extension FieldError {
    static let teamEntry = FieldError(
        "make", "Send either make, the name of a new team, or code, the code of an existing team.")
    static let teamName = FieldError("name", "name is missing. Send the name of the team.")
    static let teamCode = FieldError("code", "Send \"new\" as code, or leave it out. The server makes the code.")
    static let teamReport = FieldError("why", "Send name as why: only the name of a team can be reported.")
    static func teamNameRefused(_ field: String) -> FieldError {
        FieldError(
            field, kind: .nameRefused, "The name looks like a charity's, or the game refuses it. Choose another one.")
    }
}
