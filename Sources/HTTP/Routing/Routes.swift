import HTTPTypes

/// The table of every served address. A new route is one line here, which gives its template, its audience, the limits
/// that it counts in, and its handlers; adding it to ``all`` serves it.
///
/// `{word}` is a parameter of the handlers, and `{.format}` a suffix that may be absent. GET also answers HEAD.
enum Routes {
    // The server.
    static let healthy = Route("/healthz", for: .healthChecks, counts: .nothing, get: Responder.healthy)
    static let ready = Route("/readyz", for: .healthChecks, counts: .nothing, get: Responder.ready)
    static let metrics = Route("/metrics", for: .operators, counts: .nothing, get: Responder.metrics)
    static let contract = Route("/openapi.yaml", for: .v1, counts: .reads, get: Responder.contract)

    // The classic protocol.
    static let customers = Route(
        "/customers{.suffix}",
        for: .classic,
        counts: .registrations,
        put: Responder.registerCustomer,
        post: Responder.registerCustomer
    )
    static let customer = Route(
        "/customers/{id}{.suffix}",
        for: .classic,
        counts: .changes,
        get: Responder.customer,
        put: Responder.changeCustomer
    )
    static let scores = Route(
        "/scores{.suffix}",
        for: .classic,
        counts: .classicPosts,
        put: Responder.postClassicScore,
        post: Responder.postClassicScore
    )
    static let donations = Route(
        "/donations{.suffix}",
        for: .classic,
        counts: .classicDonations,
        put: Responder.giveClassicDonation,
        post: Responder.giveClassicDonation
    )
    static let highScores = Route(
        "/high_scores{.format}",
        for: .classic,
        counts: .classicPosts,
        get: Responder.highScores,
        post: Responder.postHighScore
    )
    static let topScores = Route("/TopScores{.format}", for: .classicAndSites, counts: .reads, get: Responder.topScores)

    // Players.
    static let device = Route(
        "/v1/games/{game}/devices/{device}",
        for: .v1,
        counts: .registrations,
        put: Responder.registerDevice
    )
    static let gamePlayer = Route(
        "/v1/games/{game}/players/{your-id}",
        for: .v1,
        counts: .registrationsByGames,
        put: Responder.registerPlayer
    )
    static let me = Route("/v1/players/me", for: .v1, counts: .changes, get: Responder.me, patch: Responder.changeMe)
    static let myCodes = Route("/v1/players/me/codes", for: .v1, counts: .codes, post: Responder.makeJoinCode)
    static let myRecovery = Route(
        "/v1/players/me/recovery",
        for: .v1,
        counts: .codes,
        post: Responder.makeRecoveryCode
    )
    static let myDevices = Route("/v1/players/me/devices", for: .v1, counts: .reads, get: Responder.myDevices)
    static let myDevice = Route(
        "/v1/players/me/devices/{id}",
        for: .v1,
        counts: .reads,
        delete: Responder.cutOffDevice
    )
    static let myToken = Route("/v1/players/me/token", for: .v1, counts: .codes, put: Responder.rotateToken)
    static let myErasure = Route("/v1/players/me/erasure", for: .v1, counts: .reads, post: Responder.erase)
    static let myExport = Route("/v1/players/me/export", for: .v1, counts: .exports, get: Responder.export)
    static let myScores = Route("/v1/players/me/scores", for: .v1, counts: .reads, get: Responder.myScores)
    static let myDonations = Route("/v1/players/me/donations", for: .v1, counts: .reads, get: Responder.myDonations)
    static let player = Route("/v1/players/{player}", for: .v1, counts: .reads, get: Responder.publicPlayer)
    static let report = Route("/v1/players/{player}/report", for: .v1, counts: .reports, post: Responder.report)
    static let avatar = Route("/v1/avatars/{sha256}.png", for: .v1, counts: .reads, get: Responder.avatarPicture)

    // Games and boards.
    static let games = Route("/v1/games", for: .v1, counts: .reads, get: Responder.games)
    static let game = Route("/v1/games/{game}", for: .v1, counts: .reads, get: Responder.game)
    static let boards = Route("/v1/games/{game}/boards", for: .v1, counts: .reads, get: Responder.boards)
    static let board = Route("/v1/games/{game}/boards/{board}", for: .v1, counts: .reads, get: Responder.boardSettings)

    // Scores and donations.
    static let score = Route(
        "/v1/games/{game}/boards/{board}/scores/{id}",
        for: .v1,
        counts: .posts,
        get: Responder.score,
        put: Responder.postScore
    )
    static let donation = Route(
        "/v1/charities/{charity}/donations/{id}",
        for: .v1,
        counts: .donations,
        get: Responder.donation,
        put: Responder.give,
        patch: Responder.anonymiseGift,
        delete: Responder.takeGiftBack
    )

    static let held = Route("/v1/games/{game}/held", for: .v1, counts: .posts, get: Responder.heldScores)
    static let heldItem = Route("/v1/games/{game}/held/{item}", for: .v1, counts: .posts, put: Responder.judge)

    // Rankings.
    static let boardTop = Route(
        "/v1/games/{game}/boards/{board}/top{.format}",
        for: .v1,
        counts: .reads,
        get: Responder.boardTop
    )
    static let position = Route(
        "/v1/games/{game}/boards/{board}/players/{player}",
        for: .v1,
        counts: .reads,
        get: Responder.position
    )
    static let myPosition = Route(
        "/v1/games/{game}/boards/{board}/players/me",
        for: .v1,
        counts: .reads,
        get: Responder.myPosition
    )
    static let around = Route(
        "/v1/games/{game}/boards/{board}/players/{player}/around{.format}",
        for: .v1,
        counts: .reads,
        get: Responder.around
    )
    static let aroundMe = Route(
        "/v1/games/{game}/boards/{board}/players/me/around{.format}",
        for: .v1,
        counts: .reads,
        get: Responder.aroundMe
    )
    static let rankOfPoints = Route(
        "/v1/games/{game}/boards/{board}/rank",
        for: .v1,
        counts: .reads,
        get: Responder.rankOfPoints
    )
    static let newestDonations = Route(
        "/v1/donations{.format}",
        for: .v1,
        counts: .reads,
        get: Responder.newestDonations
    )
    static let charityDonations = Route(
        "/v1/charities/{charity}/donations{.format}",
        for: .v1,
        counts: .reads,
        get: Responder.charityDonations
    )
    static let charities = Route("/v1/charities{.format}", for: .v1, counts: .reads, get: Responder.charities)
    static let charity = Route("/v1/charities/{charity}", for: .v1, counts: .reads, get: Responder.charity)
    static let charityTop = Route(
        "/v1/charities/{charity}/top{.format}",
        for: .v1,
        counts: .reads,
        get: Responder.charityTop
    )
    static let contributorsTop = Route(
        "/v1/contributors/top{.format}",
        for: .v1,
        counts: .reads,
        get: Responder.contributorsTop
    )

    // Live.
    static let boardLive = Route(
        "/v1/games/{game}/boards/{board}/live",
        for: .v1,
        counts: .reads,
        get: Responder.boardLive
    )
    static let charitiesLive = Route("/v1/charities/live", for: .v1, counts: .reads, get: Responder.charitiesLive)
    static let charityLive = Route("/v1/charities/{charity}/live", for: .v1, counts: .reads, get: Responder.charityLive)
    static let contributorsLive = Route(
        "/v1/contributors/live",
        for: .v1,
        counts: .reads,
        get: Responder.contributorsLive
    )

    static let all: [any ServedRoute] =
        pages + admin + console + [
            healthy, ready, metrics, contract,
            customers, customer, scores, donations, highScores, topScores,
            device, gamePlayer, me, myScores, myDonations, player, avatar,
            myCodes, myRecovery, myDevices, myDevice, myToken, myErasure, myExport, report,
            games, game, boards, board,
            score, donation, held, heldItem,
            boardTop, position, myPosition, around, aroundMe, rankOfPoints,
            newestDonations, charityDonations, charities, charity, charityTop, contributorsTop,
            boardLive, charitiesLive, charityLive, contributorsLive,
        ]

    static let tree = RouteTree(all)

    /// All methods that some route takes, as the `Allow` header lists them.
    static let allow = Set(all.flatMap { $0.methods.map(\.rawValue) }).sorted().joined(separator: ", ")

    /// - Parameters:
    ///   - path: Percent-escaped, without its query.
    ///   - listener: The listener that the request came to.
    ///   - isAdminPublic: Whether the listeners of clients serve the admin API too.
    /// - Returns: Nil when that listener serves nothing at the path.
    static func find(
        _ path: String,
        method: HTTPRequest.Method,
        on listener: ListenerRole = .open,
        isAdminPublic: Bool = false
    ) -> RouteMatch? {
        guard let (route, texts) = tree.find(path),
            route.audience.isServed(on: listener, isAdminPublic: isAdminPublic)
        else { return nil }
        return route.match(texts, method: method)
    }

    /// The audience that a path without a route was probably meant for.
    static func audience(near path: String) -> Audience {
        // The comparison is by bytes, because this path may be any text.
        let path = path.utf8
        if path.elementsEqual("/v1/admin".utf8) || path.starts(with: "/v1/admin/".utf8) { return .admin }
        if path.elementsEqual("/admin".utf8) || path.starts(with: "/admin/".utf8) { return .console }
        if path.elementsEqual("/v1".utf8) || path.starts(with: "/v1/".utf8) { return .v1 }
        return classicWords.contains { path.starts(with: $0.utf8) } ? .classic : .visitors
    }

    /// The first segments of the classic routes' paths.
    private static let classicWords: Set<String> = Set(
        all.filter(\.audience.isClassic).compactMap { route in
            if case .word(let word)? = route.template.segments.first { "/" + word } else { nil }
        }
    )
}
