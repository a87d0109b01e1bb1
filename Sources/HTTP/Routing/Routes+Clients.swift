import enum Contract.Addresses

/// Routes about the server itself.
struct ServerRoutes: RouteList {
    private static let group = RouteGroup("", for: .healthChecks, counts: .nothing)

    let healthy = Self.group("/healthz", get: Responder.healthy)
    let ready = Self.group("/readyz", get: Responder.ready)
    let metrics = Self.group("/metrics", for: .operators, get: Responder.metrics)
    let contract = Self.group("/openapi.yaml", for: .v1, counts: .reads, get: Responder.contract)
}

/// The classic protocol.
struct ClassicRoutes: RouteList {
    private static let group = RouteGroup("", for: .classic, counts: .classicPosts)

    let customers = Self.group(
        Addresses.customers.template, counts: .registrations, put: Responder.registerCustomer,
        post: Responder.registerCustomer)
    let customer = Self.group(
        "/customers/{id}{.suffix}", counts: .changes, get: Responder.customer, put: Responder.changeCustomer)
    let scores = Self.group(
        Addresses.classicScores.template, put: Responder.postClassicScore, post: Responder.postClassicScore)
    let donations = Self.group(
        Addresses.classicDonations.template, counts: .classicDonations, put: Responder.donateClassic,
        post: Responder.donateClassic)
    let highScores = Self.group(Addresses.highScores.template, get: Responder.highScores, post: Responder.postHighScore)
    let topScores = Self.group(
        Addresses.topScores.template, for: .classicAndSites, counts: .reads, get: Responder.topScores)
}

/// Routes that v1 clients call.
struct ClientRoutes: RouteList {
    private static let group = RouteGroup("", for: .v1, counts: .reads)

    // Players.
    let device = Self.group(Addresses.device.template, counts: .registrations, put: Responder.registerDevice)
    let gamePlayer = Self.group(
        "/v1/games/{game}/players/{your-id}", counts: .registrationsByGames, get: Responder.ownPlayer,
        put: Responder.registerPlayer)
    let me = Self.group(Addresses.me.template, counts: .changes, get: Responder.me, patch: Responder.changeMe)
    let myCodes = Self.group(Addresses.myCodes.template, counts: .codes, post: Responder.makeJoinCode)
    let myRecovery = Self.group(Addresses.myRecovery.template, counts: .codes, post: Responder.makeRecoveryCode)
    let myDevices = Self.group(Addresses.myDevices.template, get: Responder.myDevices)
    let myDevice = Self.group(Addresses.myDevice.template, delete: Responder.cutOffDevice)
    let myToken = Self.group(Addresses.myToken.template, counts: .codes, put: Responder.rotateToken)
    let mySaves = Self.group(Addresses.mySaves.template, get: Responder.mySaves)
    let mySave = Self.group(
        Addresses.mySave.template, counts: .saves, get: Responder.mySave, put: Responder.save,
        delete: Responder.deleteSave)
    let mySaveVersions = Self.group(Addresses.mySaveVersions.template, get: Responder.mySaveVersions)
    let myErasure = Self.group(Addresses.myErasure.template, post: Responder.erase)
    let myExport = Self.group(Addresses.myExport.template, counts: .exports, get: Responder.export)
    let myScores = Self.group(Addresses.myScores.template, get: Responder.myScores)
    let myDonations = Self.group(Addresses.myDonations.template, get: Responder.myDonations)
    let player = Self.group("/v1/players/{player}", get: Responder.publicPlayer)
    let report = Self.group(Addresses.report.template, counts: .reports, post: Responder.report)
    let avatar = Self.group(Addresses.avatar.template, get: Responder.avatarPicture)

    // Games and boards.
    let games = Self.group("/v1/games", get: Responder.games)
    let game = Self.group("/v1/games/{game}", get: Responder.game)
    let boards = Self.group("/v1/games/{game}/boards", get: Responder.boards)
    let board = Self.group(Addresses.board.template, get: Responder.boardSettings)

    // Scores and donations.
    let score = Self.group(Addresses.score.template, counts: .posts, get: Responder.score, put: Responder.postScore)
    let donation = Self.group(
        Addresses.donation.template, counts: .donations, get: Responder.donation, put: Responder.donate,
        patch: Responder.anonymiseDonation, delete: Responder.takeDonationBack)
    let held = Self.group("/v1/games/{game}/held", counts: .posts, get: Responder.heldScores)
    let heldItem = Self.group("/v1/games/{game}/held/{item}", counts: .posts, put: Responder.judge)

    // Rankings.
    let boardTop = Self.group(Addresses.boardTop.template, get: Responder.boardTop)
    let position = Self.group("/v1/games/{game}/boards/{board}/players/{player}", get: Responder.position)
    let myPosition = Self.group(Addresses.myPosition.template, get: Responder.myPosition)
    let around = Self.group("/v1/games/{game}/boards/{board}/players/{player}/around{.format}", get: Responder.around)
    let aroundMe = Self.group(Addresses.aroundMe.template, get: Responder.aroundMe)
    let rankOfPoints = Self.group(Addresses.rankOfPoints.template, get: Responder.rankOfPoints)
    let newestDonations = Self.group("/v1/donations{.format}", get: Responder.newestDonations)
    let charityDonations = Self.group("/v1/charities/{charity}/donations{.format}", get: Responder.charityDonations)
    let charities = Self.group(Addresses.charities.template, get: Responder.charities)
    let charity = Self.group(Addresses.charity.template, get: Responder.charity)
    let charityTop = Self.group(Addresses.charityTop.template, get: Responder.charityTop)
    let contributorsTop = Self.group(Addresses.contributorsTop.template, get: Responder.contributorsTop)

    // Live.
    let boardLive = Self.group("/v1/games/{game}/boards/{board}/live", get: Responder.boardLive)
    let charitiesLive = Self.group("/v1/charities/live", get: Responder.charitiesLive)
    let charityLive = Self.group("/v1/charities/{charity}/live", get: Responder.charityLive)
    let myLive = Self.group(Addresses.myLive.template, get: Responder.myLive)
    let contributorsLive = Self.group("/v1/contributors/live", get: Responder.contributorsLive)
}
