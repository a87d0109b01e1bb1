import Domain
import Feeds
import HTTPTypes
import Leaderboard
import Storage

// Games, and their boards, as operators see and change them. The names of settings are those of the command line.
extension Responder {
    /// `GET /v1/admin/games`
    func adminGames(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await admin(request, .read)
        return try await listed(request, at: Routes.adminGames.path(nil), format, Self.games, \.slug) {
            try await store.games()
        }
    }

    /// `GET /v1/admin/games/{game}`
    func adminGame(_ request: Request, _ slug: Slug) async throws -> Response {
        try await admin(request, .read)
        guard let game = try await store.findGame(slug) else { throw Problem.noGame }
        return reply(Self.games.object(game), version: game.version)
    }

    /// `PUT /v1/admin/games/{game}`
    func addGame(_ request: Request, _ slug: Slug) async throws -> Response {
        try await admin(request, .operate)
        try Precondition.creates(request.headers)
        let change = try GameChange(request, slug)
        let outcome = try await store.addGame(
            slug,
            name: change.name ?? .standard(for: slug),
            classic: change.classic ?? .off,
            salt: change.salt.value,
            now: clock.now
        )
        let game = try await store.findGame(slug)
        try outcome.check(game.map { Precondition.etag($0.version) })
        guard let game else { throw Problem.noGame }
        return reply(Self.games.object(game), version: game.version, .created, at: Routes.adminGame.path(slug))
    }

    /// `PATCH /v1/admin/games/{game}`
    func changeGame(_ request: Request, _ slug: Slug) async throws -> Response {
        try await admin(request, .operate)
        let version = try Precondition.version(request.headers)
        let change = try GameChange(request, slug)
        let (outcome, game) = try await store.setGame(
            slug,
            name: change.name,
            classic: change.classic,
            salt: change.salt,
            at: version
        )
        try outcome.check(game.map { Precondition.etag($0.version) })
        guard let game else { throw Problem.noGame }
        return reply(Self.games.object(game), version: game.version)
    }

    /// `GET /v1/admin/games/{game}/boards`
    func adminBoards(_ request: Request, of game: Slug, _ format: ListFormat?) async throws -> Response {
        try await admin(request, .read)
        guard try await store.findGame(game) != nil else { throw Problem.noGame }
        return try await listed(request, at: Routes.adminBoards.path(game, nil), format, Self.boards, \.slug) {
            try await store.boards(of: game)
        }
    }

    /// `GET /v1/admin/games/{game}/boards/{board}`
    func adminBoard(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        try await admin(request, .read)
        guard let board = try await store.findBoardListing(slug, in: game) else { throw Problem.noBoard }
        return reply(Self.boards.object(board), version: board.version)
    }

    /// `PUT /v1/admin/games/{game}/boards/{board}`
    func addBoard(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        try await admin(request, .operate)
        try Precondition.creates(request.headers)
        let settings = try BoardChange(request)
        let outcome = try await store.addBoard(NewBoard(game: game, slug: slug, settings), now: clock.now)
        let board = try await store.findBoardListing(slug, in: game)
        try outcome.check(board.map { Precondition.etag($0.version) })
        guard let board else { throw Problem.noBoard }
        return reply(
            Self.boards.object(board),
            version: board.version,
            .created,
            at: Routes.adminBoard.path(game, slug)
        )
    }

    /// `PATCH /v1/admin/games/{game}/boards/{board}`
    func changeBoard(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        try await admin(request, .operate)
        let version = try Precondition.version(request.headers)
        let (outcome, board) = try await store.setBoard(slug, in: game, BoardChange(request).checked(), at: version)
        try outcome.check(board.map { Precondition.etag($0.version) })
        guard let board else { throw Problem.noBoard }
        return reply(Self.boards.object(board), version: board.version)
    }

    /// A page of a list that is short enough to be read whole, in the order of its slugs.
    func listed<Row>(
        _ request: Request,
        at path: String,
        _ format: ListFormat?,
        _ list: AdminList<Row>,
        _ slug: KeyPath<Row, String>,
        _ read: () async throws -> [Row]
    ) async throws -> Response {
        let query = try request.parameters()
        let page = try AdminPage(query, of: path, secret)
        let rows = try await read().filter { row in page.after.map { $0.text < row[keyPath: slug] } ?? true }
        return reply(list, rows, page, at: path, as: format, query) { (0, $0[keyPath: slug]) }
    }

    private static let games = AdminList<GameListing>(
        name: "games",
        columns: [
            Column("slug", .text), Column("name", .text), Column("classic", .text), Column("has_salt", .boolean),
        ]
    ) { game in
        [
            .value(.text(game.slug)), .value(.text(game.name)), .value(.text(game.classic.rawValue)),
            .value(.boolean(game.hasSalt)),
        ]
    }

    private static let boards = AdminList<BoardListing>(
        name: "boards",
        columns: [
            Column("game", .text), Column("slug", .text), Column("season", .integer), Column("name", .text),
            Column("policy", .text), Column("order", .text), Column("points_min", .integer),
            Column("points_max", .integer), Column("zone", .text), Column("ties", .text), Column("earns", .text),
            Column("earn_max", .integer), Column("earn_day", .integer), Column("display", .text),
            Column("unit", .text), Column("trust", .text), Column("opens", .instant), Column("closes", .instant),
        ]
    ) { board in
        let values: [Value] = [
            .text(ifAny: board.game), .text(board.slug), .integer(Int128(board.season)), .text(board.name),
            .text(board.policy.rawValue), .text(board.lowestFirst ? "lowest" : "highest"),
            .integer(Int128(board.pointsMin)), .integer(Int128(board.pointsMax)), .text(board.zone),
            .text(board.ties.rawValue), .text(board.earns + (board.earnsFixed.map { ":\($0)" } ?? "")),
            board.earnMax.map { .integer(Int128($0)) } ?? .none, board.earnDay.map { .integer(Int128($0)) } ?? .none,
            .text(board.display.form.rawValue), .text(ifAny: board.display.unit), .text(board.trust.rawValue),
            .instant(ifAny: board.opensAt),
            .instant(ifAny: board.closesAt),
        ]
        return values.map(JSONTree.value)
    }
}

/// What a request says of a game.
private struct GameChange {
    let name: DisplayName?
    let classic: Game.Classic?
    let salt: Patch<String>

    init(_ request: Request, _ slug: Slug) throws {
        let settings = SettingFields(fields: try request.fields(SettingFields.ofGames))
        name = try settings.name()
        classic = try settings.choice("classic", Game.Classic.self)?.checked(for: slug)
        salt = try settings.patch("salt", "1 to \(Limits.saltBytesMax) bytes of text, or null") { text in
            text.utf8.count <= Limits.saltBytesMax && !text.utf8.contains(0) ? text : nil
        }
    }
}

extension BoardChange {
    fileprivate init(_ request: Request) throws {
        let settings = SettingFields(fields: try request.fields(SettingFields.ofBoards))
        self.init()
        name = try settings.name()
        policy = try settings.choice("policy", Board.Policy.self)
        lowestFirst = try settings.choice("order", BoardOrder.self).map { $0 == .lowest }
        pointsMin = try settings.integer("points_min")
        pointsMax = try settings.integer("points_max")
        zone = try settings.zone()
        ties = try settings.choice("ties", Board.Ties.self)
        earning = try settings.value("earns", "points, improvement, fixed:N or none") { text in
            text.utf8.count <= 32 ? Earning(text) : nil
        }
        earnMax = try settings.integerPatch("earn_max")
        earnDay = try settings.integerPatch("earn_day")
        opensAt = try settings.instantPatch("opens")
        closesAt = try settings.instantPatch("closes")
        display = try settings.choice("display", PointsDisplay.Form.self)
        unit = try settings.patch("unit", "\(PointsUnit.rule), or null") { PointsUnit($0) }
        trust = try settings.choice("trust", Board.Trust.self)
    }
}

/// Which points rank first.
private enum BoardOrder: String, CaseIterable { case highest, lowest }
