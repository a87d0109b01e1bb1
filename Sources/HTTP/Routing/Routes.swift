import HTTPTypes

/// The table of every served address. A new route is one line here, which gives its template, its audience and its
/// handlers; adding it to ``all`` serves it.
///
/// `{word}` is a parameter of the handlers, and `{.format}` a suffix that may be absent. GET also answers HEAD.
enum Routes {
    // The server.
    static let home = Route("/", for: .operators, get: Responder.home)
    static let healthy = Route("/healthz", for: .operators, get: Responder.healthy)
    static let ready = Route("/readyz", for: .operators, get: Responder.ready)
    static let metrics = Route("/metrics", for: .operators, get: Responder.metrics)
    static let contract = Route("/openapi.yaml", for: .v1, get: Responder.contract)

    // The classic protocol.
    static let customers = Route(
        "/customers{.suffix}",
        for: .classic,
        put: Responder.registerCustomer,
        post: Responder.registerCustomer
    )
    static let customer = Route(
        "/customers/{id}{.suffix}",
        for: .classic,
        get: Responder.customer,
        put: Responder.changeCustomer
    )
    static let scores = Route(
        "/scores{.suffix}",
        for: .classic,
        put: Responder.postClassicScore,
        post: Responder.postClassicScore
    )
    static let donations = Route(
        "/donations{.suffix}",
        for: .classic,
        put: Responder.giveClassicDonation,
        post: Responder.giveClassicDonation
    )
    static let highScores = Route(
        "/high_scores{.format}",
        for: .classic,
        get: Responder.highScores,
        post: Responder.postHighScore
    )
    static let topScores = Route("/TopScores{.format}", for: .classicAndSites, get: Responder.topScores)

    // Players.
    static let device = Route("/v1/games/{game}/devices/{device}", for: .v1, put: Responder.registerDevice)
    static let gamePlayer = Route("/v1/games/{game}/players/{your-id}", for: .v1, put: Responder.registerPlayer)
    static let me = Route("/v1/players/me", for: .v1, get: Responder.me, patch: Responder.changeMe)
    static let myScores = Route("/v1/players/me/scores", for: .v1, get: Responder.myScores)
    static let myDonations = Route("/v1/players/me/donations", for: .v1, get: Responder.myDonations)
    static let player = Route("/v1/players/{player}", for: .v1, get: Responder.publicPlayer)
    static let avatar = Route("/v1/avatars/{sha256}.png", for: .v1, get: Responder.avatarPicture)

    // Games and boards.
    static let games = Route("/v1/games", for: .v1, get: Responder.games)
    static let game = Route("/v1/games/{game}", for: .v1, get: Responder.game)
    static let boards = Route("/v1/games/{game}/boards", for: .v1, get: Responder.boards)
    static let board = Route("/v1/games/{game}/boards/{board}", for: .v1, get: Responder.boardSettings)

    // Scores and donations.
    static let score = Route(
        "/v1/games/{game}/boards/{board}/scores/{id}",
        for: .v1,
        get: Responder.score,
        put: Responder.postScore
    )
    static let donation = Route(
        "/v1/charities/{charity}/donations/{id}",
        for: .v1,
        get: Responder.donation,
        put: Responder.give
    )

    // Rankings.
    static let boardTop = Route(
        "/v1/games/{game}/boards/{board}/top{.format}",
        for: .v1,
        get: Responder.boardTop
    )
    static let position = Route(
        "/v1/games/{game}/boards/{board}/players/{player}",
        for: .v1,
        get: Responder.position
    )
    static let myPosition = Route(
        "/v1/games/{game}/boards/{board}/players/me",
        for: .v1,
        get: Responder.myPosition
    )
    static let around = Route(
        "/v1/games/{game}/boards/{board}/players/{player}/around{.format}",
        for: .v1,
        get: Responder.around
    )
    static let aroundMe = Route(
        "/v1/games/{game}/boards/{board}/players/me/around{.format}",
        for: .v1,
        get: Responder.aroundMe
    )
    static let rankOfPoints = Route(
        "/v1/games/{game}/boards/{board}/rank",
        for: .v1,
        get: Responder.rankOfPoints
    )
    static let charities = Route("/v1/charities{.format}", for: .v1, get: Responder.charities)
    static let charity = Route("/v1/charities/{charity}", for: .v1, get: Responder.charity)
    static let charityTop = Route("/v1/charities/{charity}/top{.format}", for: .v1, get: Responder.charityTop)
    static let contributorsTop = Route("/v1/contributors/top{.format}", for: .v1, get: Responder.contributorsTop)

    static let all: [any ServedRoute] = [
        home, healthy, ready, metrics, contract,
        customers, customer, scores, donations, highScores, topScores,
        device, gamePlayer, me, myScores, myDonations, player, avatar,
        games, game, boards, board,
        score, donation,
        boardTop, position, myPosition, around, aroundMe, rankOfPoints, charities, charity, charityTop, contributorsTop,
    ]

    static let tree = RouteTree(all)

    /// All methods that some route takes, as the `Allow` header lists them.
    static let allow = Set(all.flatMap { $0.methods.map(\.rawValue) }).sorted().joined(separator: ", ")

    /// - Parameter path: Percent-escaped, without its query.
    /// - Returns: Nil when nothing is served at the path.
    static func find(_ path: String, method: HTTPRequest.Method) -> RouteMatch? {
        guard let (route, texts) = tree.find(path) else { return nil }
        return route.match(texts, method: method)
    }

    /// The audience that a path without a route was probably meant for.
    static func audience(near path: String) -> Audience {
        if (path + "/").hasPrefix("/v1/") { return .v1 }
        return classicWords.contains(where: path.hasPrefix) ? .classic : .operators
    }

    /// The first segments of the classic routes' paths.
    private static let classicWords: Set<String> = Set(
        all.filter(\.audience.isClassic).compactMap { route in
            if case .word(let word)? = route.template.segments.first { "/" + word } else { nil }
        }
    )
}
