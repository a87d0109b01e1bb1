// The console: what operators look at and action with in a browser. It counts in no limits on the admin listener.
struct ConsoleRoutes: RouteList {
    private static let group = RouteGroup("/admin", for: .console, counts: .consoleCalls)

    let overview = Self.group("", get: Responder.consoleOverview)
    let signIn = Self.group("/sign-in", counts: .signIns, get: Responder.signInPage, post: Responder.signIn)
    let signOut = Self.group("/sign-out", post: Responder.signOut)
    let asset = Self.group("/assets/{file}", counts: .signIns, get: Responder.asset)
    let picture = Self.group("/pictures/{avatar}.png", get: Responder.consolePicture)
    let stats = Self.group("/stats{.format}", get: Responder.consoleStats)
    let subscribers = Self.group("/subscribers{.format}", get: Responder.consoleSubscribers)

    // Settings.
    let games = Self.group("/games{.format}", get: Responder.consoleGames)
    let newGame = Self.group("/new/game", get: Responder.newGamePage, post: Responder.makeGame)
    let game = Self.group("/games/{game}", get: Responder.consoleGame, post: Responder.saveGame)
    let boards = Self.group("/games/{game}/boards{.format}", get: Responder.consoleBoards)
    let newBoard = Self.group("/games/{game}/new", get: Responder.newBoardPage, post: Responder.makeBoard)
    let board = Self.group("/games/{game}/boards/{board}", get: Responder.consoleBoard, post: Responder.saveBoard)
    let charities = Self.group("/charities{.format}", get: Responder.consoleCharities)
    let newCharity = Self.group("/new/charity", get: Responder.newCharityPage, post: Responder.makeCharity)
    let charity = Self.group("/charities/{charity}", get: Responder.consoleCharity, post: Responder.saveCharity)
    let charityDonations = Self.group("/charities/{charity}/donations{.format}", get: Responder.consoleCharityDonations)
    let keys = Self.group("/keys{.format}", get: Responder.consoleKeys)
    let newKey = Self.group("/new/key", get: Responder.newKeyPage, post: Responder.makeConsoleKey)
    let endKey = Self.group("/keys/{id}/end", get: Responder.endKeyPage, post: Responder.endConsoleKey)

    // Players, actions, and the books.
    let players = Self.group("/players{.format}", get: Responder.consolePlayers, post: Responder.searchConsolePlayers)
    let player = Self.group("/players/{player}", get: Responder.consolePlayer)
    let ledger = Self.group("/players/{player}/ledger{.format}", get: Responder.consoleLedger)
    let playerActions = Self.group("/players/{player}/acts{.format}", get: Responder.consolePlayerActions)
    let codes = Self.group("/players/{player}/codes", post: Responder.makeConsoleCode)
    let actions = Self.group("/acts", get: Responder.actionForm, post: Responder.actionByForm)
    let action = Self.group("/acts/{id}", get: Responder.consoleAction)
    let queue = Self.group("/queue{.format}", get: Responder.consoleQueue)
    let log = Self.group("/log{.format}", get: Responder.consoleLog)
    let audits = Self.group("/audits", get: Responder.consoleAudits, post: Responder.startConsoleAudit)
    let audit = Self.group("/audits/{id}", get: Responder.consoleAudit)
}
