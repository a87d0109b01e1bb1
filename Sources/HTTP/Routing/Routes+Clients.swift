import enum Contract.Addresses

/// Routes about the server itself.
struct ServerRoutes: RouteList {
    private static let group = RouteGroup("", for: .healthChecks, counts: .nothing)

    let healthy = Self.group("/healthz", get: OperationHandlers.healthy)
    let ready = Self.group("/readyz", get: OperationHandlers.ready)
    let metrics = Self.group("/metrics", for: .operators, get: OperationHandlers.metrics)
    let contract = Self.group("/openapi.yaml", for: .v1, counts: .reads, get: OperationHandlers.contract)
}

/// The classic protocol.
struct ClassicRoutes: RouteList {
    private static let group = RouteGroup("", for: .classic, counts: .classicPosts)

    let customers = Self.group(
        Addresses.customers.template, counts: .registrations, put: ClassicHandlers.registerCustomer,
        post: ClassicHandlers.registerCustomer)
    let customer = Self.group(
        "/customers/{id}{.suffix}", counts: .changes, get: ClassicHandlers.customer, put: ClassicHandlers.changeCustomer
    )
    let scores = Self.group(
        Addresses.classicScores.template, put: ClassicHandlers.postClassicScore, post: ClassicHandlers.postClassicScore)
    let donations = Self.group(
        Addresses.classicDonations.template, counts: .classicDonations, put: ClassicHandlers.donateClassic,
        post: ClassicHandlers.donateClassic)
    let highScores = Self.group(
        Addresses.highScores.template, get: ClassicHandlers.highScores, post: ClassicHandlers.postHighScore)
    let topScores = Self.group(
        Addresses.topScores.template, for: .classicAndSites, counts: .reads, get: ClassicHandlers.topScores)
}

/// Routes that v1 clients call.
struct ClientRoutes: RouteList {
    private static let group = RouteGroup("", for: .v1, counts: .reads)

    // Players.
    let device = Self.group(Addresses.device.template, counts: .registrations, put: DeviceHandlers.registerDevice)
    let gamePlayer = Self.group(
        "/v1/games/{game}/players/{your-id}", counts: .registrationsByGames, get: DeviceHandlers.ownPlayer,
        put: DeviceHandlers.registerPlayer)
    let gamePlayerCodes = Self.group(
        "/v1/games/{game}/players/{your-id}/codes", counts: .registrationsByGames, post: DeviceHandlers.makeGameCode)
    let me = Self.group(
        Addresses.me.template, counts: .changes, get: ProfileHandlers.me, patch: ProfileHandlers.changeMe)
    let myCodes = Self.group(Addresses.myCodes.template, counts: .codes, post: DeviceHandlers.makeJoinCode)
    let myRecovery = Self.group(Addresses.myRecovery.template, counts: .codes, post: DeviceHandlers.makeRecoveryCode)
    let myDevices = Self.group(Addresses.myDevices.template, get: DeviceHandlers.myDevices)
    let myDevice = Self.group(Addresses.myDevice.template, delete: DeviceHandlers.cutOffDevice)
    let myToken = Self.group(Addresses.myToken.template, counts: .codes, put: DeviceHandlers.rotateToken)
    let signIns = Self.group(Addresses.signIns.template, counts: .nonces, post: SignInHandlers.makeNonce)
    let myIdentities = Self.group(Addresses.myIdentities.template, get: SignInHandlers.myIdentities)
    let myIdentity = Self.group(
        Addresses.myIdentity.template, counts: .identities, put: SignInHandlers.linkIdentity,
        delete: SignInHandlers.unlinkIdentity)
    let myFriends = Self.group(
        Addresses.myFriends.template, counts: .friends, get: FriendHandlers.myFriends,
        post: FriendHandlers.useFriendCode)
    let myFriendCodes = Self.group(
        Addresses.myFriendCodes.template, counts: .friends, post: FriendHandlers.makeFriendCode)
    let myFriend = Self.group(
        Addresses.myFriend.template, counts: .friends, put: FriendHandlers.ask, delete: FriendHandlers.end)
    let myBlock = Self.group(
        Addresses.myBlock.template, counts: .blocks, put: FriendHandlers.block, delete: FriendHandlers.unblock)
    let myTeam = Self.group(
        Addresses.myTeam.template, counts: .teams, get: TeamHandlers.myTeam, put: TeamHandlers.enterTeam,
        patch: TeamHandlers.changeTeam, delete: TeamHandlers.leaveTeam)
    let myPlan = Self.group(
        Addresses.myPlan.template, counts: .plans, get: PlanHandlers.myPlan, put: PlanHandlers.putPlan,
        delete: PlanHandlers.endPlan)
    let myChallenges = Self.group(Addresses.myChallenges.template, get: ChallengeHandlers.myChallenges)
    let mySaves = Self.group(Addresses.mySaves.template, get: SaveHandlers.mySaves)
    let mySave = Self.group(
        Addresses.mySave.template, counts: .saves, get: SaveHandlers.mySave, put: SaveHandlers.save,
        delete: SaveHandlers.deleteSave)
    let mySaveVersions = Self.group(Addresses.mySaveVersions.template, get: SaveHandlers.mySaveVersions)
    let myErasure = Self.group(Addresses.myErasure.template, post: OwnDataHandlers.erase)
    let myExport = Self.group(Addresses.myExport.template, counts: .exports, get: OwnDataHandlers.export)
    let myScores = Self.group(Addresses.myScores.template, get: OwnDataHandlers.myScores)
    let myDonations = Self.group(Addresses.myDonations.template, get: OwnDataHandlers.myDonations)
    let player = Self.group("/v1/players/{player}", get: ProfileHandlers.publicPlayer)
    let report = Self.group(Addresses.report.template, counts: .reports, post: ProfileHandlers.report)
    let avatar = Self.group(Addresses.avatar.template, get: ProfileHandlers.avatarPicture)

    // Teams.
    let team = Self.group(
        Addresses.team.template, counts: .teamsByGames, get: TeamHandlers.team, put: TeamHandlers.putTeam)
    let teamMember = Self.group(
        "/v1/games/{game}/teams/{team}/members/{your-id}", counts: .teamsByGames, put: TeamHandlers.placeMember,
        delete: TeamHandlers.removeMember)
    let teamReport = Self.group(Addresses.teamReport.template, counts: .reports, post: TeamHandlers.reportTeam)

    // Awards.
    let gameAwards = Self.group(Addresses.gameAwards.template, get: AwardHandlers.gameAwards)
    let myAwards = Self.group(Addresses.myAwards.template, get: AwardHandlers.myAwards)
    let gamePlayerAward = Self.group(
        "/v1/games/{game}/players/{your-id}/awards/{award}", counts: .teamsByGames, put: AwardHandlers.grant)

    // Games and boards.
    let games = Self.group("/v1/games", get: RankingHandlers.games)
    let game = Self.group("/v1/games/{game}", get: RankingHandlers.game)
    let boards = Self.group("/v1/games/{game}/boards", get: RankingHandlers.boards)
    let board = Self.group(Addresses.board.template, get: RankingHandlers.boardSettings)

    // Challenges.
    let challenge = Self.group(
        Addresses.challenge.template, counts: .challenges, get: ChallengeHandlers.challenge,
        put: ChallengeHandlers.makeChallenge)
    let challengeEntry = Self.group(
        Addresses.challengeEntry.template, put: ChallengeHandlers.enterChallenge,
        delete: ChallengeHandlers.declineChallenge)

    // Scores and donations.
    let score = Self.group(
        Addresses.score.template, counts: .posts, get: LedgerHandlers.score, put: LedgerHandlers.postScore)
    let donation = Self.group(
        Addresses.donation.template, counts: .donations, get: LedgerHandlers.donation, put: LedgerHandlers.donate,
        patch: LedgerHandlers.anonymiseDonation, delete: LedgerHandlers.takeDonationBack)
    let held = Self.group("/v1/games/{game}/held", counts: .posts, get: LedgerHandlers.heldScores)
    let heldItem = Self.group("/v1/games/{game}/held/{item}", counts: .posts, put: LedgerHandlers.judge)

    // Rankings.
    let boardTop = Self.group(Addresses.boardTop.template, get: RankingHandlers.boardTop)
    let myTeamTop = Self.group(Addresses.myTeamTop.template, get: RankingHandlers.myTeamTop)
    let boardTeams = Self.group(Addresses.boardTeams.template, get: RankingHandlers.boardTeams)
    let winners = Self.group(Addresses.winners.template, get: RankingHandlers.winners)
    let countriesTop = Self.group(Addresses.countriesTop.template, get: RankingHandlers.countriesTop)
    let position = Self.group("/v1/games/{game}/boards/{board}/players/{player}", get: RankingHandlers.position)
    let myPosition = Self.group(Addresses.myPosition.template, get: RankingHandlers.myPosition)
    let around = Self.group(
        "/v1/games/{game}/boards/{board}/players/{player}/around{.format}", get: RankingHandlers.around)
    let aroundMe = Self.group(Addresses.aroundMe.template, get: RankingHandlers.aroundMe)
    let friendsTop = Self.group(Addresses.friendsTop.template, get: RankingHandlers.friendsTop)
    let rankOfPoints = Self.group(Addresses.rankOfPoints.template, get: RankingHandlers.rankOfPoints)
    let newestDonations = Self.group("/v1/donations{.format}", get: RankingHandlers.newestDonations)
    let charityDonations = Self.group(
        "/v1/charities/{charity}/donations{.format}", get: RankingHandlers.charityDonations)
    let charities = Self.group(Addresses.charities.template, get: RankingHandlers.charities)
    let charity = Self.group(Addresses.charity.template, get: RankingHandlers.charity)
    let charityTop = Self.group(Addresses.charityTop.template, get: RankingHandlers.charityTop)
    let contributorsTop = Self.group(Addresses.contributorsTop.template, get: RankingHandlers.contributorsTop)
    let charityFriends = Self.group(Addresses.charityFriends.template, get: RankingHandlers.charityFriends)
    let contributorsFriends = Self.group(
        Addresses.contributorsFriends.template, get: RankingHandlers.contributorsFriends)
    let charityTeams = Self.group(Addresses.charityTeams.template, get: RankingHandlers.charityTeams)
    let contributorTeams = Self.group(Addresses.contributorTeams.template, get: RankingHandlers.contributorTeams)

    // Campaigns.
    let campaigns = Self.group(Addresses.campaigns.template, get: CampaignHandlers.campaigns)
    let campaign = Self.group(Addresses.campaign.template, get: CampaignHandlers.campaign)
    let campaignTop = Self.group(Addresses.campaignTop.template, get: CampaignHandlers.campaignTop)
    let campaignTeams = Self.group(Addresses.campaignTeams.template, get: CampaignHandlers.campaignTeams)
    let campaignEntry = Self.group(
        Addresses.campaignEntry.template, counts: .challenges, put: CohortHandlers.enterCampaign)
    let cohort = Self.group(Addresses.cohort.template, get: CohortHandlers.cohort)

    // Live.
    let boardLive = Self.group("/v1/games/{game}/boards/{board}/live", get: LiveHandlers.boardLive)
    let charitiesLive = Self.group("/v1/charities/live", get: LiveHandlers.charitiesLive)
    let charityLive = Self.group("/v1/charities/{charity}/live", get: LiveHandlers.charityLive)
    let campaignLive = Self.group("/v1/campaigns/{campaign}/live", get: LiveHandlers.campaignLive)
    let myLive = Self.group(Addresses.myLive.template, get: LiveHandlers.myLive)
    let contributorsLive = Self.group("/v1/contributors/live", get: LiveHandlers.contributorsLive)
}
