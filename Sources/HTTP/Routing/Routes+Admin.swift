// The admin API: what programs of operators call. They count in no limits on the admin listener.
extension Routes {
    static let adminGames = Route(
        "/v1/admin/games{.format}", for: .admin, counts: .adminCalls, get: Responder.adminGames)
    static let adminGame = Route(
        "/v1/admin/games/{game}", for: .admin, counts: .adminCalls, get: Responder.adminGame, put: Responder.addGame,
        patch: Responder.changeGame)
    static let adminBoards = Route(
        "/v1/admin/games/{game}/boards{.format}", for: .admin, counts: .adminCalls, get: Responder.adminBoards)
    static let adminBoard = Route(
        "/v1/admin/games/{game}/boards/{board}", for: .admin, counts: .adminCalls, get: Responder.adminBoard,
        put: Responder.addBoard, patch: Responder.changeBoard)
    static let adminCharities = Route(
        "/v1/admin/charities{.format}", for: .admin, counts: .adminCalls, get: Responder.adminCharities)
    static let adminCharity = Route(
        "/v1/admin/charities/{charity}", for: .admin, counts: .adminCalls, get: Responder.adminCharity,
        put: Responder.addCharity, patch: Responder.changeCharity)
    static let adminCharityDonations = Route(
        "/v1/admin/charities/{charity}/donations{.format}", for: .admin, counts: .adminCalls,
        get: Responder.adminCharityDonations)
    static let adminKeys = Route("/v1/admin/keys{.format}", for: .admin, counts: .adminCalls, get: Responder.adminKeys)
    static let adminKey = Route(
        "/v1/admin/keys/{id}", for: .admin, counts: .adminCalls, put: Responder.addKey, delete: Responder.endKey)
    static let adminPlayers = Route(
        "/v1/admin/players{.format}", for: .admin, counts: .adminCalls, get: Responder.adminPlayers)
    static let adminPlayerSearch = Route(
        "/v1/admin/players/search{.format}", for: .admin, counts: .adminCalls, post: Responder.searchPlayers)
    static let adminPlayer = Route(
        "/v1/admin/players/{player}", for: .admin, counts: .adminCalls, get: Responder.adminPlayer)
    static let adminLedger = Route(
        "/v1/admin/players/{player}/ledger{.format}", for: .admin, counts: .adminCalls, get: Responder.adminLedger)
    static let adminStats = Route("/v1/admin/stats{.format}", for: .admin, counts: .adminCalls, get: Responder.stats)
    static let adminSubscribers = Route(
        "/v1/admin/subscribers{.format}", for: .admin, counts: .adminCalls, get: Responder.subscribers)

    static let action = Route(
        "/v1/admin/acts/{id}", for: .admin, counts: .adminCalls, get: Responder.pastAction, put: Responder.moderate)
    static let queue = Route("/v1/admin/queue{.format}", for: .admin, counts: .adminCalls, get: Responder.queue)
    static let erasures = Route(
        "/v1/admin/erasures{.format}", for: .admin, counts: .adminCalls, get: Responder.erasures)
    static let log = Route("/v1/admin/log{.format}", for: .admin, counts: .adminCalls, get: Responder.log)
    static let playerActions = Route(
        "/v1/admin/players/{player}/acts{.format}", for: .admin, counts: .adminCalls, get: Responder.playerActions)

    static let adminCodes = Route(
        "/v1/admin/players/{player}/codes", for: .admin, counts: .adminCalls, post: Responder.adminCode)
    static let audit = Route(
        "/v1/admin/audits/{id}", for: .admin, counts: .adminCalls, get: Responder.audit, put: Responder.startAudit)

    static let admin: [any ServedRoute] = [
        adminGames, adminGame, adminBoards, adminBoard, adminCharities, adminCharity, adminCharityDonations, adminKeys,
        adminKey, adminPlayers, adminPlayerSearch, adminPlayer, adminLedger, action, log, playerActions, queue,
        erasures, adminCodes, audit, adminStats, adminSubscribers,
    ]
}
