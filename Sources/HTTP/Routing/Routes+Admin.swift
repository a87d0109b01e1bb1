// The admin API: what programs of operators call. They count in no limits on the admin listener.
struct AdminRoutes: RouteList {
    private static let group = RouteGroup("/v1/admin", for: .admin, counts: .adminCalls)

    let games = Self.group("/games{.format}", get: Responder.adminGames)
    let game = Self.group(
        "/games/{game}", get: Responder.adminGame, put: Responder.addGame, patch: Responder.changeGame)
    let boards = Self.group("/games/{game}/boards{.format}", get: Responder.adminBoards)
    let board = Self.group(
        "/games/{game}/boards/{board}", get: Responder.adminBoard, put: Responder.addBoard, patch: Responder.changeBoard
    )
    let charities = Self.group("/charities{.format}", get: Responder.adminCharities)
    let charity = Self.group(
        "/charities/{charity}", get: Responder.adminCharity, put: Responder.addCharity, patch: Responder.changeCharity)
    let charityDonations = Self.group("/charities/{charity}/donations{.format}", get: Responder.adminCharityDonations)
    let keys = Self.group("/keys{.format}", get: Responder.adminKeys)
    let key = Self.group("/keys/{id}", put: Responder.addKey, delete: Responder.endKey)
    let players = Self.group("/players{.format}", get: Responder.adminPlayers)
    let playerSearch = Self.group("/players/search{.format}", post: Responder.searchPlayers)
    let player = Self.group("/players/{player}", get: Responder.adminPlayer)
    let ledger = Self.group("/players/{player}/ledger{.format}", get: Responder.adminLedger)
    let stats = Self.group("/stats{.format}", get: Responder.stats)
    let subscribers = Self.group("/subscribers{.format}", get: Responder.subscribers)

    let action = Self.group("/acts/{id}", get: Responder.pastAction, put: Responder.moderate)
    let queue = Self.group("/queue{.format}", get: Responder.queue)
    let erasures = Self.group("/erasures{.format}", get: Responder.erasures)
    let log = Self.group("/log{.format}", get: Responder.log)
    let playerActions = Self.group("/players/{player}/acts{.format}", get: Responder.playerActions)

    let codes = Self.group("/players/{player}/codes", post: Responder.adminCode)
    let audit = Self.group("/audits/{id}", get: Responder.audit, put: Responder.startAudit)
}
