// The admin API: what programs of operators call. They count in no limits on the admin listener.
struct AdminRoutes: RouteList {
    private static let group = RouteGroup("/v1/admin", for: .admin, counts: .adminCalls)

    let games = Self.group("/games{.format}", get: AdminSettingHandlers.adminGames)
    let game = Self.group(
        "/games/{game}", get: AdminSettingHandlers.adminGame, put: AdminSettingHandlers.addGame,
        patch: AdminSettingHandlers.changeGame)
    let boards = Self.group("/games/{game}/boards{.format}", get: AdminSettingHandlers.adminBoards)
    let board = Self.group(
        "/games/{game}/boards/{board}", get: AdminSettingHandlers.adminBoard, put: AdminSettingHandlers.addBoard,
        patch: AdminSettingHandlers.changeBoard)
    let providers = Self.group("/games/{game}/providers{.format}", get: AdminSettingHandlers.adminProviders)
    let provider = Self.group(
        "/games/{game}/providers/{provider}", get: AdminSettingHandlers.adminProvider,
        put: AdminSettingHandlers.addProvider, patch: AdminSettingHandlers.changeProvider,
        delete: AdminSettingHandlers.removeProvider)
    let awards = Self.group("/games/{game}/awards{.format}", get: AdminSettingHandlers.adminAwards)
    let award = Self.group(
        "/games/{game}/awards/{award}", get: AdminSettingHandlers.adminAward, put: AdminSettingHandlers.addAward,
        patch: AdminSettingHandlers.changeAward)
    let teams = Self.group("/games/{game}/teams{.format}", get: AdminSettingHandlers.adminTeams)
    let charities = Self.group("/charities{.format}", get: AdminSettingHandlers.adminCharities)
    let charity = Self.group(
        "/charities/{charity}", get: AdminSettingHandlers.adminCharity, put: AdminSettingHandlers.addCharity,
        patch: AdminSettingHandlers.changeCharity)
    let charityDonations = Self.group(
        "/charities/{charity}/donations{.format}", get: AdminSettingHandlers.adminCharityDonations)
    let campaigns = Self.group("/campaigns", get: AdminSettingHandlers.adminCampaigns)
    let campaign = Self.group(
        "/campaigns/{campaign}", get: AdminSettingHandlers.adminCampaign, put: AdminSettingHandlers.addCampaign,
        patch: AdminSettingHandlers.changeCampaign)
    let keys = Self.group("/keys{.format}", get: AdminSettingHandlers.adminKeys)
    let key = Self.group("/keys/{id}", put: AdminSettingHandlers.addKey, delete: AdminSettingHandlers.endKey)
    let players = Self.group("/players{.format}", get: AdminPlayerHandlers.adminPlayers)
    let playerSearch = Self.group("/players/search{.format}", post: AdminPlayerHandlers.searchPlayers)
    let player = Self.group("/players/{player}", get: AdminPlayerHandlers.adminPlayer)
    let ledger = Self.group("/players/{player}/ledger{.format}", get: AdminPlayerHandlers.adminLedger)
    let friends = Self.group("/players/{player}/friends", get: AdminPlayerHandlers.adminFriends)
    let activity = Self.group("/players/{player}/activity", get: AdminPlayerHandlers.adminActivity)
    let stats = Self.group("/stats{.format}", get: AdminReportHandlers.stats)
    let subscribers = Self.group("/subscribers{.format}", get: AdminReportHandlers.subscribers)

    let action = Self.group("/acts/{id}", get: ModerationHandlers.pastAction, put: ModerationHandlers.moderate)
    let queue = Self.group("/queue{.format}", get: ModerationHandlers.queue)
    let erasures = Self.group("/erasures{.format}", get: ModerationHandlers.erasures)
    let log = Self.group("/log{.format}", get: ModerationHandlers.log)
    let playerActions = Self.group("/players/{player}/acts{.format}", get: ModerationHandlers.playerActions)

    let codes = Self.group("/players/{player}/codes", post: AdminPlayerHandlers.adminCode)
    let audit = Self.group("/audits/{id}", get: AdminReportHandlers.audit, put: AdminReportHandlers.startAudit)
}
