// The console: what operators look at and action with in a browser. It counts in no limits on the admin listener.
extension Routes {
    static let consoleOverview = Route("/admin", for: .console, counts: .consoleCalls, get: Responder.consoleOverview)
    static let consoleSignIn = Route(
        "/admin/sign-in", for: .console, counts: .signIns, get: Responder.signInPage, post: Responder.signIn)
    static let consoleSignOut = Route("/admin/sign-out", for: .console, counts: .consoleCalls, post: Responder.signOut)
    static let consoleAsset = Route("/admin/assets/{file}", for: .console, counts: .signIns, get: Responder.asset)
    static let consolePicture = Route(
        "/admin/pictures/{avatar}.png", for: .console, counts: .consoleCalls, get: Responder.consolePicture)
    static let consoleStats = Route(
        "/admin/stats{.format}", for: .console, counts: .consoleCalls, get: Responder.consoleStats)
    static let consoleSubscribers = Route(
        "/admin/subscribers{.format}", for: .console, counts: .consoleCalls, get: Responder.consoleSubscribers)

    // Settings.
    static let consoleGames = Route(
        "/admin/games{.format}", for: .console, counts: .consoleCalls, get: Responder.consoleGames)
    static let consoleNewGame = Route(
        "/admin/new/game", for: .console, counts: .consoleCalls, get: Responder.newGamePage, post: Responder.makeGame)
    static let consoleGame = Route(
        "/admin/games/{game}", for: .console, counts: .consoleCalls, get: Responder.consoleGame,
        post: Responder.saveGame)
    static let consoleBoards = Route(
        "/admin/games/{game}/boards{.format}", for: .console, counts: .consoleCalls, get: Responder.consoleBoards)
    static let consoleNewBoard = Route(
        "/admin/games/{game}/new", for: .console, counts: .consoleCalls, get: Responder.newBoardPage,
        post: Responder.makeBoard)
    static let consoleBoard = Route(
        "/admin/games/{game}/boards/{board}", for: .console, counts: .consoleCalls, get: Responder.consoleBoard,
        post: Responder.saveBoard)
    static let consoleCharities = Route(
        "/admin/charities{.format}", for: .console, counts: .consoleCalls, get: Responder.consoleCharities)
    static let consoleNewCharity = Route(
        "/admin/new/charity", for: .console, counts: .consoleCalls, get: Responder.newCharityPage,
        post: Responder.makeCharity)
    static let consoleCharity = Route(
        "/admin/charities/{charity}", for: .console, counts: .consoleCalls, get: Responder.consoleCharity,
        post: Responder.saveCharity)
    static let consoleCharityDonations = Route(
        "/admin/charities/{charity}/donations{.format}", for: .console, counts: .consoleCalls,
        get: Responder.consoleCharityDonations)
    static let consoleKeys = Route(
        "/admin/keys{.format}", for: .console, counts: .consoleCalls, get: Responder.consoleKeys)
    static let consoleNewKey = Route(
        "/admin/new/key", for: .console, counts: .consoleCalls, get: Responder.newKeyPage,
        post: Responder.makeConsoleKey)
    static let consoleEndKey = Route(
        "/admin/keys/{id}/end", for: .console, counts: .consoleCalls, get: Responder.endKeyPage,
        post: Responder.endConsoleKey)

    // Players, actions, and the books.
    static let consolePlayers = Route(
        "/admin/players{.format}", for: .console, counts: .consoleCalls, get: Responder.consolePlayers,
        post: Responder.searchConsolePlayers)
    static let consolePlayer = Route(
        "/admin/players/{player}", for: .console, counts: .consoleCalls, get: Responder.consolePlayer)
    static let consoleLedger = Route(
        "/admin/players/{player}/ledger{.format}", for: .console, counts: .consoleCalls, get: Responder.consoleLedger)
    static let consolePlayerActions = Route(
        "/admin/players/{player}/acts{.format}", for: .console, counts: .consoleCalls,
        get: Responder.consolePlayerActions)
    static let consoleCodes = Route(
        "/admin/players/{player}/codes", for: .console, counts: .consoleCalls, post: Responder.makeConsoleCode)
    static let consoleActions = Route(
        "/admin/acts", for: .console, counts: .consoleCalls, get: Responder.actionForm, post: Responder.actionByForm)
    static let consoleAction = Route(
        "/admin/acts/{id}", for: .console, counts: .consoleCalls, get: Responder.consoleAction)
    static let consoleQueue = Route(
        "/admin/queue{.format}", for: .console, counts: .consoleCalls, get: Responder.consoleQueue)
    static let consoleLog = Route(
        "/admin/log{.format}", for: .console, counts: .consoleCalls, get: Responder.consoleLog)
    static let consoleAudits = Route(
        "/admin/audits", for: .console, counts: .consoleCalls, get: Responder.consoleAudits,
        post: Responder.startConsoleAudit)
    static let consoleAudit = Route(
        "/admin/audits/{id}", for: .console, counts: .consoleCalls, get: Responder.consoleAudit)

    static let console: [any ServedRoute] = [
        consoleOverview, consoleSignIn, consoleSignOut, consoleAsset, consolePicture, consoleStats, consoleSubscribers,
        consoleGames, consoleNewGame, consoleGame, consoleBoards, consoleNewBoard, consoleBoard, consoleCharities,
        consoleNewCharity, consoleCharity, consoleCharityDonations, consoleKeys, consoleNewKey, consoleEndKey,
        consolePlayers, consolePlayer, consoleLedger, consolePlayerActions, consoleCodes, consoleActions, consoleAction,
        consoleQueue, consoleLog, consoleAudits, consoleAudit,
    ]
}
