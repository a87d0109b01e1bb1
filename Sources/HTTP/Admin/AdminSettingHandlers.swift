import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

/// Games, boards, charities and keys, as operators see and change them. The names of settings are those of the command
/// line.
final class AdminSettingHandlers: RouteHandlers {
    let store: Store
    let rankings: Rankings
    let clock: ServerClock
    let operators: OperatorKeys
    let replies: Replies

    init(store: Store, rankings: Rankings, clock: ServerClock, operators: OperatorKeys, replies: Replies) {
        (self.store, self.rankings, self.clock, self.operators) = (store, rankings, clock, operators)
        self.replies = replies
    }

    static func of(_ handlers: Handlers) -> AdminSettingHandlers { handlers.adminSettings }

    /// `GET /v1/admin/games`
    func adminGames(_ request: Request, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .read)
        let page = try await gamesPage(request.parameters())
        return replies.list(Self.gameList, page, at: Routes.admin.games.path(nil), as: format)
    }

    func gamesPage(_ query: QueryParameters) async throws -> ListPage<GameListing> {
        try await slugPage(query, at: Routes.admin.games.path(nil), \.slug) { try await store.admin.games() }
    }

    /// `GET /v1/admin/games/{game}`
    func adminGame(_ request: Request, _ slug: Slug) async throws -> Response {
        try await operators.admin(request, .read)
        guard let game = try await store.admin.findGame(slug) else { throw Problem.noGame }
        return replies.versioned(Self.gameList.object(game), version: game.version)
    }

    /// `PUT /v1/admin/games/{game}`
    func addGame(_ request: Request, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        try Precondition.creates(request.headers)
        let game = try await addGame(slug, request.fields(Self.gameFields), by: admin)
        return replies.versioned(
            Self.gameList.object(game), version: game.version, .created, at: Routes.admin.game.path(slug))
    }

    func addGame(_ slug: Slug, _ fields: Fields, by admin: AdminKey) async throws -> GameListing {
        var (settings, removesAddresses) = try Self.change(fields, of: slug)
        if settings.name == nil { settings.name = try DisplayName.standard(for: slug) }
        let outcome = try await store.admin.addGame(
            slug, settings, removesAddresses: removesAddresses, by: admin.id.text, now: clock.now)
        let game = try await store.admin.findGame(slug)
        try outcome.check(game.map { Precondition.etag($0.version) })
        guard let game else { throw Problem.noGame }
        return game
    }

    /// `PATCH /v1/admin/games/{game}`
    func changeGame(_ request: Request, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        let version = try Precondition.version(request.headers)
        let (game, stored) = try await changeGame(slug, request.fields(Self.gameFields), at: version, by: admin)
        guard let stored else { return replies.versioned(Self.gameList.object(game), version: game.version) }
        let more: [JSONTree.Member] = [
            .init("addresses", .integer(Int128(stored.addresses))), .init("updates", .integer(Int128(stored.wishes))),
        ]
        return replies.versioned(.object(Self.gameList.members(game) + more), version: game.version)
    }

    /// - Returns: The game as it is now; and how many addresses were stored before, if it takes none from now on.
    func changeGame(_ slug: Slug, _ fields: Fields, at version: String, by admin: AdminKey) async throws -> (
        game: GameListing, stored: StoredAddresses?
    ) {
        let (change, removesAddresses) = try Self.change(fields, of: slug)
        if let audience = try await store.admin.findGame(slug)?.audience {
            try change.check(for: change.audience ?? audience)
        }
        let stored = change.takesEmail == false ? try await store.admin.storedAddresses(of: slug) : nil
        let (outcome, game) = try await store.admin.setGame(
            slug, change, removesAddresses: removesAddresses, at: version, by: admin.id.text, now: clock.now)
        try outcome.check(game.map { Precondition.etag($0.version) })
        guard let game else { throw Problem.noGame }
        rankings.forgetCallers()
        return (game, stored)
    }

    /// `GET /v1/admin/games/{game}/boards`
    func adminBoards(_ request: Request, of game: Slug, _ format: ListFormat?) async throws -> Response {
        try await operators.admin(request, .read)
        let page = try await boardsPage(request.parameters(), of: game)
        return replies.list(Self.boardList, page, at: Routes.admin.boards.path(game, nil), as: format)
    }

    func boardsPage(_ query: QueryParameters, of game: Slug) async throws -> ListPage<BoardListing> {
        guard try await store.admin.findGame(game) != nil else { throw Problem.noGame }
        return try await slugPage(query, at: Routes.admin.boards.path(game, nil), \.slug) {
            try await store.admin.boards(of: game)
        }
    }

    /// `GET /v1/admin/games/{game}/boards/{board}`
    func adminBoard(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        try await operators.admin(request, .read)
        guard let board = try await store.admin.findBoardListing(slug, in: game) else { throw Problem.noBoard }
        return replies.versioned(Self.boardList.object(board), version: board.version)
    }

    /// `PUT /v1/admin/games/{game}/boards/{board}`
    func addBoard(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        try Precondition.creates(request.headers)
        let board = try await addBoard(slug, in: game, request.fields(BoardChange.settings.names), by: admin)
        return replies.versioned(
            Self.boardList.object(board), version: board.version, .created, at: Routes.admin.board.path(game, slug))
    }

    func addBoard(_ slug: Slug, in game: Slug, _ fields: Fields, by admin: AdminKey) async throws -> BoardListing {
        let settings = try BoardChange(by: fields).completed(for: slug)
        let outcome = try await store.admin.addBoard(slug, in: game, settings, by: admin.id.text, now: clock.now)
        let board = try await store.admin.findBoardListing(slug, in: game)
        try outcome.check(board.map { Precondition.etag($0.version) })
        guard let board else { throw Problem.noBoard }
        return board
    }

    /// `PATCH /v1/admin/games/{game}/boards/{board}`
    func changeBoard(_ request: Request, in game: Slug, _ slug: Slug) async throws -> Response {
        let admin = try await operators.admin(request, .operate)
        let version = try Precondition.version(request.headers)
        let fields = try request.fields(BoardChange.settings.names)
        let board = try await changeBoard(slug, in: game, fields, at: version, by: admin)
        return replies.versioned(Self.boardList.object(board), version: board.version)
    }

    func changeBoard(_ slug: Slug, in game: Slug, _ fields: Fields, at version: String, by admin: AdminKey) async throws
        -> BoardListing
    {
        let change = try BoardChange(by: fields).checked()
        let (outcome, board) = try await store.admin.setBoard(
            slug, in: game, change, at: version, by: admin.id.text, now: clock.now)
        try outcome.check(board.map { Precondition.etag($0.version) })
        guard let board else { throw Problem.noBoard }
        return board
    }

    /// A page of a list that is short enough to be read whole, in the order of its slugs.
    func slugPage<Row>(
        _ query: QueryParameters, at path: String, _ slug: KeyPath<Row, String>, _ read: () async throws -> [Row]
    ) async throws -> ListPage<Row> {
        try await replies.page(query, at: path) { page in
            try await read().filter { row in page.after.map { $0.text < row[keyPath: slug] } ?? true }
        } cursor: {
            (0, $0[keyPath: slug])
        }
    }

    private static let gameFields = GameChange.settings.names.union(["remove_addresses"])

    private static func change(_ fields: Fields, of game: Slug) throws(FieldError) -> (
        GameChange, removesAddresses: Bool
    ) {
        let change = try GameChange(by: fields)
        let removesAddresses = try fields.boolean("remove_addresses") ?? false
        return (try change.checked(for: game, removesAddresses: removesAddresses), removesAddresses)
    }

    static let gameList = AdminList<GameListing>(
        name: "games", columns: [Column("slug", .text)] + GameChange.settings.columns()
    ) { game in [.value(.text(game.slug))] + GameChange.settings.cells(of: game.settings) }

    static let boardList = AdminList<BoardListing>(
        name: "boards",
        columns: [Column("game", .text), Column("slug", .text), Column("season", .integer)]
            + BoardChange.settings.columns()
    ) { board in
        [.value(.text(ifAny: board.game)), .value(.text(board.slug)), .value(.integer(Int128(board.season)))]
            + BoardChange.settings.cells(of: board.settings)
    }
}
