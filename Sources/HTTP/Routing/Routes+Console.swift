// The console: what operators look at and action with in a browser. It counts in no limits on the admin listener.
struct ConsoleRoutes: RouteList {
    private static let group = RouteGroup("/admin", for: .console, counts: .consoleCalls)

    let overview = Self.group("", get: ConsoleHandlers.consoleOverview)
    let signIn = Self.group("/sign-in", counts: .signIns, get: ConsoleSessions.signInPage, post: ConsoleSessions.signIn)
    let signOut = Self.group("/sign-out", post: ConsoleSessions.signOut)
    let asset = Self.group("/assets/{file}", counts: .signIns, get: PageHandlers.asset)
    let picture = Self.group("/pictures/{avatar}.png", get: ConsolePlayerHandlers.consolePicture)
    let stats = Self.group("/stats{.format}", get: ConsoleHandlers.consoleStats)
    let subscribers = Self.group("/subscribers{.format}", get: ConsoleHandlers.consoleSubscribers)

    // Settings.
    let games = Self.group("/games{.format}", get: ConsoleSettingHandlers.consoleGames)
    let newGame = Self.group(
        "/new/game", get: ConsoleSettingHandlers.newGamePage, post: ConsoleSettingHandlers.makeGame)
    let game = Self.group(
        "/games/{game}", get: ConsoleSettingHandlers.consoleGame, post: ConsoleSettingHandlers.saveGame)
    let boards = Self.group("/games/{game}/boards{.format}", get: ConsoleSettingHandlers.consoleBoards)
    let newBoard = Self.group(
        "/games/{game}/new", get: ConsoleSettingHandlers.newBoardPage, post: ConsoleSettingHandlers.makeBoard)
    let board = Self.group(
        "/games/{game}/boards/{board}", get: ConsoleSettingHandlers.consoleBoard, post: ConsoleSettingHandlers.saveBoard
    )
    let providers = Self.group("/games/{game}/providers{.format}", get: ConsoleSettingHandlers.consoleProviders)
    let newProvider = Self.group(
        "/games/{game}/new/provider", get: ConsoleSettingHandlers.newProviderPage,
        post: ConsoleSettingHandlers.makeProvider)
    let provider = Self.group(
        "/games/{game}/providers/{provider}", get: ConsoleSettingHandlers.consoleProvider,
        post: ConsoleSettingHandlers.saveProvider)
    let providerRemoval = Self.group(
        "/games/{game}/providers/{provider}/removal", get: ConsoleSettingHandlers.removeProviderPage,
        post: ConsoleSettingHandlers.removeConsoleProvider)
    let awards = Self.group("/games/{game}/awards{.format}", get: ConsoleSettingHandlers.consoleAwards)
    let newAward = Self.group(
        "/games/{game}/new/award", get: ConsoleSettingHandlers.newAwardPage, post: ConsoleSettingHandlers.makeAward)
    let award = Self.group(
        "/games/{game}/awards/{award}", get: ConsoleSettingHandlers.consoleAward, post: ConsoleSettingHandlers.saveAward
    )
    let teams = Self.group("/games/{game}/teams{.format}", get: ConsoleSettingHandlers.consoleTeams)
    let charities = Self.group("/charities{.format}", get: ConsoleSettingHandlers.consoleCharities)
    let newCharity = Self.group(
        "/new/charity", get: ConsoleSettingHandlers.newCharityPage, post: ConsoleSettingHandlers.makeCharity)
    let charity = Self.group(
        "/charities/{charity}", get: ConsoleSettingHandlers.consoleCharity, post: ConsoleSettingHandlers.saveCharity)
    let charityDonations = Self.group(
        "/charities/{charity}/donations{.format}", get: ConsoleSettingHandlers.consoleCharityDonations)
    let campaigns = Self.group("/campaigns", get: ConsoleSettingHandlers.consoleCampaigns)
    let newCampaign = Self.group(
        "/new/campaign", get: ConsoleSettingHandlers.newCampaignPage, post: ConsoleSettingHandlers.makeCampaign)
    let campaign = Self.group(
        "/campaigns/{campaign}", get: ConsoleSettingHandlers.consoleCampaign, post: ConsoleSettingHandlers.saveCampaign)
    let keys = Self.group("/keys{.format}", get: ConsoleSettingHandlers.consoleKeys)
    let newKey = Self.group(
        "/new/key", get: ConsoleSettingHandlers.newKeyPage, post: ConsoleSettingHandlers.makeConsoleKey)
    let endKey = Self.group(
        "/keys/{id}/end", get: ConsoleSettingHandlers.endKeyPage, post: ConsoleSettingHandlers.endConsoleKey)

    // Players, actions, and the books.
    let players = Self.group(
        "/players{.format}", get: ConsolePlayerHandlers.consolePlayers, post: ConsolePlayerHandlers.searchConsolePlayers
    )
    let player = Self.group("/players/{player}", get: ConsolePlayerHandlers.consolePlayer)
    let ledger = Self.group("/players/{player}/ledger{.format}", get: ConsolePlayerHandlers.consoleLedger)
    let playerActions = Self.group("/players/{player}/acts{.format}", get: ConsolePlayerHandlers.consolePlayerActions)
    let friends = Self.group("/players/{player}/friends", get: ConsolePlayerHandlers.consoleFriends)
    let activity = Self.group("/players/{player}/activity", get: ConsolePlayerHandlers.consoleActivity)
    let codes = Self.group("/players/{player}/codes", post: ConsolePlayerHandlers.makeConsoleCode)
    let actions = Self.group("/acts", get: ConsolePlayerHandlers.actionForm, post: ConsolePlayerHandlers.actionByForm)
    let action = Self.group("/acts/{id}", get: ConsolePlayerHandlers.consoleAction)
    let queue = Self.group("/queue{.format}", get: ConsolePlayerHandlers.consoleQueue)
    let log = Self.group("/log{.format}", get: ConsolePlayerHandlers.consoleLog)
    let audits = Self.group("/audits", get: ConsoleHandlers.consoleAudits, post: ConsoleHandlers.startConsoleAudit)
    let audit = Self.group("/audits/{id}", get: ConsoleHandlers.consoleAudit)
}
