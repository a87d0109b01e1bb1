import enum Contract.Addresses
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
        Addresses.customers.template, for: .classic, counts: .registrations, put: Responder.registerCustomer,
        post: Responder.registerCustomer)
    static let customer = Route(
        "/customers/{id}{.suffix}", for: .classic, counts: .changes, get: Responder.customer,
        put: Responder.changeCustomer)
    static let scores = Route(
        Addresses.classicScores.template, for: .classic, counts: .classicPosts, put: Responder.postClassicScore,
        post: Responder.postClassicScore)
    static let donations = Route(
        Addresses.classicDonations.template, for: .classic, counts: .classicDonations, put: Responder.donateClassic,
        post: Responder.donateClassic)
    static let highScores = Route(
        Addresses.highScores.template, for: .classic, counts: .classicPosts, get: Responder.highScores,
        post: Responder.postHighScore)
    static let topScores = Route(
        Addresses.topScores.template, for: .classicAndSites, counts: .reads, get: Responder.topScores)

    // Players.
    static let device = Route(
        Addresses.device.template, for: .v1, counts: .registrations, put: Responder.registerDevice)
    static let gamePlayer = Route(
        "/v1/games/{game}/players/{your-id}", for: .v1, counts: .registrationsByGames, get: Responder.ownPlayer,
        put: Responder.registerPlayer)
    static let me = Route(
        Addresses.me.template, for: .v1, counts: .changes, get: Responder.me, patch: Responder.changeMe)
    static let myCodes = Route(Addresses.myCodes.template, for: .v1, counts: .codes, post: Responder.makeJoinCode)
    static let myRecovery = Route(
        Addresses.myRecovery.template, for: .v1, counts: .codes, post: Responder.makeRecoveryCode)
    static let myDevices = Route(Addresses.myDevices.template, for: .v1, counts: .reads, get: Responder.myDevices)
    static let myDevice = Route(Addresses.myDevice.template, for: .v1, counts: .reads, delete: Responder.cutOffDevice)
    static let myToken = Route(Addresses.myToken.template, for: .v1, counts: .codes, put: Responder.rotateToken)
    static let mySaves = Route(Addresses.mySaves.template, for: .v1, counts: .reads, get: Responder.mySaves)
    static let mySave = Route(
        Addresses.mySave.template, for: .v1, counts: .saves, get: Responder.mySave, put: Responder.save,
        delete: Responder.deleteSave)
    static let mySaveVersions = Route(
        Addresses.mySaveVersions.template, for: .v1, counts: .reads, get: Responder.mySaveVersions)
    static let myErasure = Route(Addresses.myErasure.template, for: .v1, counts: .reads, post: Responder.erase)
    static let myExport = Route(Addresses.myExport.template, for: .v1, counts: .exports, get: Responder.export)
    static let myScores = Route(Addresses.myScores.template, for: .v1, counts: .reads, get: Responder.myScores)
    static let myDonations = Route(Addresses.myDonations.template, for: .v1, counts: .reads, get: Responder.myDonations)
    static let player = Route("/v1/players/{player}", for: .v1, counts: .reads, get: Responder.publicPlayer)
    static let report = Route(Addresses.report.template, for: .v1, counts: .reports, post: Responder.report)
    static let avatar = Route(Addresses.avatar.template, for: .v1, counts: .reads, get: Responder.avatarPicture)

    // Games and boards.
    static let games = Route("/v1/games", for: .v1, counts: .reads, get: Responder.games)
    static let game = Route("/v1/games/{game}", for: .v1, counts: .reads, get: Responder.game)
    static let boards = Route("/v1/games/{game}/boards", for: .v1, counts: .reads, get: Responder.boards)
    static let board = Route(Addresses.board.template, for: .v1, counts: .reads, get: Responder.boardSettings)

    // Scores and donations.
    static let score = Route(
        Addresses.score.template, for: .v1, counts: .posts, get: Responder.score, put: Responder.postScore)
    static let donation = Route(
        Addresses.donation.template, for: .v1, counts: .donations, get: Responder.donation, put: Responder.donate,
        patch: Responder.anonymiseDonation, delete: Responder.takeDonationBack)

    static let held = Route("/v1/games/{game}/held", for: .v1, counts: .posts, get: Responder.heldScores)
    static let heldItem = Route("/v1/games/{game}/held/{item}", for: .v1, counts: .posts, put: Responder.judge)

    // Rankings.
    static let boardTop = Route(Addresses.boardTop.template, for: .v1, counts: .reads, get: Responder.boardTop)
    static let position = Route(
        "/v1/games/{game}/boards/{board}/players/{player}", for: .v1, counts: .reads, get: Responder.position)
    static let myPosition = Route(Addresses.myPosition.template, for: .v1, counts: .reads, get: Responder.myPosition)
    static let around = Route(
        "/v1/games/{game}/boards/{board}/players/{player}/around{.format}", for: .v1, counts: .reads,
        get: Responder.around)
    static let aroundMe = Route(Addresses.aroundMe.template, for: .v1, counts: .reads, get: Responder.aroundMe)
    static let rankOfPoints = Route(
        Addresses.rankOfPoints.template, for: .v1, counts: .reads, get: Responder.rankOfPoints)
    static let newestDonations = Route(
        "/v1/donations{.format}", for: .v1, counts: .reads, get: Responder.newestDonations)
    static let charityDonations = Route(
        "/v1/charities/{charity}/donations{.format}", for: .v1, counts: .reads, get: Responder.charityDonations)
    static let charities = Route(Addresses.charities.template, for: .v1, counts: .reads, get: Responder.charities)
    static let charity = Route(Addresses.charity.template, for: .v1, counts: .reads, get: Responder.charity)
    static let charityTop = Route(Addresses.charityTop.template, for: .v1, counts: .reads, get: Responder.charityTop)
    static let contributorsTop = Route(
        Addresses.contributorsTop.template, for: .v1, counts: .reads, get: Responder.contributorsTop)

    // Live.
    static let boardLive = Route(
        "/v1/games/{game}/boards/{board}/live", for: .v1, counts: .reads, get: Responder.boardLive)
    static let charitiesLive = Route("/v1/charities/live", for: .v1, counts: .reads, get: Responder.charitiesLive)
    static let charityLive = Route("/v1/charities/{charity}/live", for: .v1, counts: .reads, get: Responder.charityLive)
    static let myLive = Route(Addresses.myLive.template, for: .v1, counts: .reads, get: Responder.myLive)
    static let contributorsLive = Route(
        "/v1/contributors/live", for: .v1, counts: .reads, get: Responder.contributorsLive)

    static let all: [any ServedRoute] =
        pages + admin + console + [
            healthy, ready, metrics, contract, customers, customer, scores, donations, highScores, topScores, device,
            gamePlayer, me, myScores, myDonations, player, avatar, myCodes, myRecovery, myDevices, myDevice, myToken,
            myErasure, myExport, report, mySaves, mySave, mySaveVersions, games, game, boards, board, score, donation,
            held, heldItem, boardTop, position, myPosition, around, aroundMe, rankOfPoints, newestDonations,
            charityDonations, charities, charity, charityTop, contributorsTop, boardLive, charitiesLive, charityLive,
            contributorsLive, myLive,
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
        _ path: String, method: HTTPRequest.Method, on listener: ListenerRole = .open, isAdminPublic: Bool = false
    ) -> RouteMatch? {
        guard let (route, texts) = tree.find(path), route.audience.isServed(on: listener, isAdminPublic: isAdminPublic)
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
        })
}
