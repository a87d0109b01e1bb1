import Domain
import Feeds
import FoundationEssentials
import HTTPTypes
import Pages
import Testing

@testable import HTTP

@Suite struct RoutesTests {
    private let game = Slug.defaultGame
    private let picture: AvatarHash
    private let (maze, lap, trees): (Slug, Slug, Slug)
    private let player = Player.ID(rawValue: 7)

    init() throws {
        picture = try #require(AvatarHash(hex: String(repeating: "0a", count: 32)))
        (maze, lap, trees) = (try #require(Slug("maze")), try #require(Slug("lap")), try #require(Slug("trees")))
    }

    @Test("every address is the route that it looks like, with its values") func known() throws {
        try expect("/", Routes.home)
        try expect("/healthz", Routes.healthy)
        try expect("/readyz", Routes.ready)
        try expect("/metrics", Routes.metrics)
        try expect("/openapi.yaml", Routes.contract)
        try expect("/customers", Routes.customers, nil)
        try expect("/customers.json", Routes.customers, .json)
        try expect("/customers/7", Routes.customer, player, nil)
        try expect("/customers/7.xml", Routes.customer, player, .xml)
        try expect("/scores", Routes.scores, nil)
        try expect("/donations.xml", Routes.donations, .xml)
        try expect("/high_scores", Routes.highScores, nil)
        try expect("/high_scores.plist", Routes.highScores, .plist)
        try expect("/TopScores.atom", Routes.topScores, .atom)
        try expect("/v1/games/default/boards/high-scores/top.csv", Routes.boardTop, game, .highScores, .csv)
        try expect("/v1/games", Routes.games)
        try expect("/v1/games/maze", Routes.game, maze)
        try expect("/v1/games/maze/boards", Routes.boards, maze)
        try expect("/v1/games/maze/boards/lap", Routes.board, maze, lap)
        try expect("/v1/games/maze/boards/lap/top", Routes.boardTop, maze, lap, nil)
        try expect("/v1/games/maze/boards/lap/rank", Routes.rankOfPoints, maze, lap)
        try expect("/v1/games/maze/boards/lap/players/7", Routes.position, maze, lap, player)
        try expect("/v1/games/maze/boards/lap/players/me", Routes.myPosition, maze, lap)
        try expect("/v1/games/maze/boards/lap/players/7/around", Routes.around, maze, lap, player, nil)
        try expect("/v1/games/maze/boards/lap/players/me/around.plist", Routes.aroundMe, maze, lap, .plist)
        try expect("/v1/games/maze/devices/%7BAB-1%7D", Routes.device, maze, "{AB-1}")
        try expect("/v1/games/maze/players/u:7", Routes.gamePlayer, maze, "u:7")
        try expect("/v1/games/maze/players/me", Routes.gamePlayer, maze, "me")
        try expect("/v1/players/me", Routes.me)
        try expect("/v1/players/7", Routes.player, player)
        try expect("/v1/players/me/scores", Routes.myScores)
        try expect("/v1/players/me/donations", Routes.myDonations)
        try expect("/v1/players/me/saves", Routes.mySaves)
        try expect("/v1/players/me/saves/lap", Routes.mySave, lap)
        try expect("/v1/players/me/saves/lap/versions", Routes.mySaveVersions, lap)
        try expect("/v1/players/me/live", Routes.myLive)
        try expect("/v1/charities/trees", Routes.charity, trees)
        try expect("/v1/charities/trees/top.atom", Routes.charityTop, trees, .atom)
        try expect("/v1/contributors/top", Routes.contributorsTop, nil)
        try expect("/v1/games/maze/boards/lap/live", Routes.boardLive, maze, lap)
        try expect("/v1/charities/live", Routes.charitiesLive)
        try expect("/v1/charities/trees/live", Routes.charityLive, trees)
        try expect("/v1/contributors/live", Routes.contributorsLive)
        try expect("/v1/charities", Routes.charities, nil)
        try expect("/v1/charities.html", Routes.charities, .html)
        try expect("/v1/avatars/\(picture.hex).png", Routes.avatar, picture)
        for (path, route) in [
            ("/v1/games/maze/boards/lap/scores/x", Routes.score as any ServedRoute),
            ("/v1/charities/trees/donations/%FF", Routes.donation),
        ] { #expect(Routes.find(path, method: .put)?.route === route, "an id is judged by the handler: \(path)") }
    }

    @Test(
        "a path that is almost a route is none",
        arguments: [
            "", "customers", "//", "/customers/", "/customers/0", "/customers/-1", "/customers/+7", "/customers/7/8",
            "/customers/99999999999999999999", "/customers/.xml", "/customers/7.", "/customers/7.pdf",
            "/customers.plist", "/TopScores.pdf", "/topscores.xml", "/TopScores.xml/", "/v1", "/v1/", "/v1/games/",
            "/v1/games/default/", "/v1/games/default/boards/", "/v1/players", "/v1/players/", "/v1/players/you",
            "/v1/players/0", "/v1/players/9007199254740992", "/v1/players/7/scores", "/v1/players/me/",
            "/v1/players/me.json", "/v1/charities/top", "/v1/charities/trees/top.pdf", "/v1/contributors",
            "/v1/games/maze/devices", "/v1/games/maze/boards/lap/players", "/v1/games/maze/boards/lap/players/7/near",
            "/v1/games/maze/boards/lap/players/me/top", "/v1/games/maze/boards/lap/rank.json",
            "/v1/games/maze/boards/lap/scores/x/y", "/v1/games/maze/devices/%FF",
            "/v1/games/DEFAULT/boards/high-scores/top.json", "/v1/games/default/boards/me/top.json",
            "/v1/avatars/00.png", "/v1/avatars/.png", "/v1/avatars/png", "/v1/games/a/b/c/d/e", "/high_scores.",
            "/.xml", "/%00", "/v1/games/maze/boards/lap/top.json.json", "/healthz.json", "/healthz/",
            "/v1/charities/live.json", "/v1/charities/live/live", "/v1/players/me/saves/", "/v1/players/me/saves/A",
            "/v1/players/me/saves/a/b", "/openapi.json", "/v1/charities.", "/x/v1/games",
        ]) func unknown(path: String)
    { #expect(Routes.find(path, method: .get) == nil) }

    @Test("a path that is written is read as the same route with the same values, whatever they are") func roundTrip()
        throws
    {
        let hostile = [
            "", ".", "..", "/", "%", "%41", "%2F", "a b", "+", "?x=1", "#", "me", "top.json", ".json", "ü😀", "\u{0}",
            "\r\n", "{device}", "e\u{301}",
        ]
        let long = try #require(Slug(String(repeating: "z", count: 63)))
        var checked: Set<String> = []
        func check<each Parameter: PathParameter & Equatable>(
            _ route: Route<repeat each Parameter>, _ values: repeat each Parameter
        ) throws {
            try expect(route.path(repeat each values), route, repeat each values)
            checked.insert(route.template.text)
        }
        for route in [
            Routes.home, Routes.healthy, Routes.ready, Routes.metrics, Routes.contract, Routes.me, Routes.myScores,
            Routes.myDonations, Routes.games, Routes.charitiesPage, Routes.contributorsPage, Routes.privacyPage,
            Routes.playPage, Routes.clientScript, Routes.embedContributors, Routes.embedColours, Routes.embedScript,
            Routes.overlayContributors, Routes.charitiesLive, Routes.contributorsLive, Routes.unsubscribePage,
            Routes.myCodes, Routes.myRecovery, Routes.myDevices, Routes.mySaves, Routes.myLive, Routes.myToken,
            Routes.myErasure, Routes.myExport,
        ] { try check(route) }
        for text in hostile {
            try check(Routes.device, long, text)
            try check(Routes.myDevice, text)
            try check(Routes.gamePlayer, long, text)
            try check(Routes.mySave, long)
            try check(Routes.mySaveVersions, long)
            try check(Routes.asset, text)
        }
        for format in [nil] + DocumentFormat.allCases {
            for route in [Routes.customers, Routes.scores, Routes.donations] { try check(route, format) }
            for id in [1, Limits.playerIDMax] { try check(Routes.customer, Player.ID(rawValue: id), format) }
        }
        for format in [nil] + FeedFormat.allCases {
            for route in [
                Routes.highScores, Routes.topScores, Routes.charities, Routes.contributorsTop, Routes.newestDonations,
                Routes.books,
            ] { try check(route, format) }
            for slug in [game, lap, long, try #require(Slug("0"))] {
                try check(Routes.boardTop, slug, long, format)
                try check(Routes.aroundMe, long, slug, format)
                try check(Routes.around, slug, lap, player, format)
                for route in [Routes.charityTop, Routes.charityDonations] { try check(route, slug, format) }
            }
        }
        for slug in [game, lap, long] {
            for route in [Routes.game, Routes.boards] { try check(route, slug) }
            for route in [
                Routes.board, Routes.myPosition, Routes.rankOfPoints, Routes.boardPage, Routes.embedBoard,
                Routes.overlayBoard, Routes.boardLive, Routes.boardCard,
            ] { try check(route, slug, lap) }
            for route in [
                Routes.gamePage, Routes.charityPage, Routes.charityContributorsPage, Routes.overlayCharity,
                Routes.charityCard,
            ] { try check(route, slug) }
            for picture in [nil] + PictureFormat.allCases { try check(Routes.embedCharity, slug, picture) }
            try check(Routes.position, slug, lap, player)
            for route in [Routes.charity, Routes.charityLive] { try check(route, slug) }
            for route in [
                Routes.adminGame, Routes.adminCharity, Routes.consoleGame, Routes.consoleNewBoard,
                Routes.consoleCharity,
            ] { try check(route, slug) }
            for route in [Routes.adminBoard, Routes.consoleBoard] { try check(route, slug, lap) }
            for format in [nil] + ListFormat.allCases {
                for route in [
                    Routes.adminBoards, Routes.adminCharityDonations, Routes.consoleBoards,
                    Routes.consoleCharityDonations,
                ] { try check(route, slug, format) }
            }
            try check(Routes.score, slug, lap, ClientID(UUID()))
            try check(Routes.donation, slug, ClientID(UUID()))
            try check(Routes.held, slug)
            try check(Routes.heldItem, slug, ClientID(UUID()))
        }
        for route in [Routes.player, Routes.playerPage, Routes.flag, Routes.playerCard, Routes.report] {
            try check(route, Player.ID(rawValue: Limits.playerIDMax))
        }
        for route in [Routes.adminPlayer, Routes.adminCodes, Routes.consolePlayer, Routes.consoleCodes] {
            try check(route, player)
        }
        for route in [
            Routes.consoleOverview, Routes.consoleSignIn, Routes.consoleSignOut, Routes.consoleNewGame,
            Routes.consoleNewCharity, Routes.consoleNewKey, Routes.consoleActions, Routes.consoleAudits,
        ] { try check(route) }
        try check(Routes.consoleAsset, "a.css")
        try check(Routes.consolePicture, picture)
        for route in [
            Routes.adminKey, Routes.action, Routes.audit, Routes.consoleAction, Routes.consoleAudit,
            Routes.consoleEndKey,
        ] { try check(route, ClientID(UUID())) }
        for format in [nil] + ListFormat.allCases {
            for route in [
                Routes.adminGames, Routes.adminCharities, Routes.adminKeys, Routes.adminPlayers,
                Routes.adminPlayerSearch, Routes.adminStats, Routes.adminSubscribers, Routes.log, Routes.queue,
                Routes.erasures, Routes.consoleGames, Routes.consoleCharities, Routes.consoleKeys,
                Routes.consolePlayers, Routes.consoleStats, Routes.consoleSubscribers, Routes.consoleLog,
                Routes.consoleQueue,
            ] { try check(route, format) }
            for route in [Routes.adminLedger, Routes.playerActions, Routes.consoleLedger, Routes.consolePlayerActions] {
                try check(route, player, format)
            }
        }
        try check(Routes.avatar, picture)
        #expect(checked == Set(Routes.all.map(\.template.text)), "every route is checked")
    }

    @Test("a route answers the methods that it lists, and no others") func methods() throws {
        let paths = [
            "/", "/customers", "/customers/7", "/high_scores", "/v1/players/me", "/v1/games/maze",
            "/v1/games/maze/devices/d", "/v1/charities/trees/donations/x",
        ]
        let allow = [
            "GET, HEAD, OPTIONS", "PUT, POST, OPTIONS", "GET, HEAD, PUT, OPTIONS", "GET, HEAD, POST, OPTIONS",
            "GET, HEAD, PATCH, OPTIONS", "GET, HEAD, OPTIONS", "PUT, OPTIONS", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS",
        ]
        for (path, allow) in zip(paths, allow) {
            for method in [HTTPRequest.Method.get, .head, .put, .post, .patch, .delete, .trace] {
                let match = try #require(Routes.find(path, method: method))
                #expect(match.route.allow == allow)
                #expect((match.answer != nil) == match.route.methods.contains(method), "\(method) \(path)")
            }
        }
    }

    @Test("the table and the OpenAPI document name the same methods of the same paths") func contract() throws {
        var served: Set<String> = []
        // Pages are for people, and their addresses are in the article about pages.
        for route in Routes.all where route.audience != .visitors && route.audience != .console {
            let path = Self.withoutNames(route.template.text)
            // HEAD is answered wherever GET is, and OPTIONS everywhere. The document says so once.
            for method in route.methods where method != .head && method != .options {
                served.insert("\(method) \(path)")
                if route.template.takesSuffix { served.insert("\(method) \(path).{}") }
            }
        }
        let promised = Self.operations(in: String(decoding: OpenAPI.bytes, as: UTF8.self))
        #expect(promised.count > 50)
        #expect(served.subtracting(promised) == [], "served, and not in the document")
        #expect(promised.subtracting(served) == [], "in the document, and not served")
    }

    @Test("the console links to addresses that are served") func consolePaths() {
        for (path, route) in [
            (ConsolePath.overview, Routes.consoleOverview as any ServedRoute),
            (ConsolePath.signIn, Routes.consoleSignIn), (ConsolePath.signOut, Routes.consoleSignOut),
            (ConsolePath.queue, Routes.consoleQueue), (ConsolePath.players, Routes.consolePlayers),
            (ConsolePath.games, Routes.consoleGames), (ConsolePath.charities, Routes.consoleCharities),
            (ConsolePath.keys, Routes.consoleKeys), (ConsolePath.log, Routes.consoleLog),
            (ConsolePath.audit, Routes.consoleAudits), (ConsolePath.subscribers, Routes.consoleSubscribers),
            (ConsolePath.actions, Routes.consoleActions),
        ] {
            #expect(Routes.find(path, method: .get, on: .admin)?.route === route, "\(path)")
            #expect(Routes.find(path, method: .get, on: .open) == nil, "\(path)")
        }
    }

    @Test("pages link to addresses that are served") func pagePaths() throws {
        let board = Ranked.board(game: "maze", board: "lap")
        let charity = Ranked.contributorsOfCharity("trees")
        for (path, route) in [
            (PagePath.home, Routes.home as any ServedRoute), (PagePath.charities, Routes.charitiesPage),
            (PagePath.contributors, Routes.contributorsPage), (PagePath.privacy, Routes.privacyPage),
            (PagePath.play, Routes.playPage), (PagePath.books, Routes.books), (PagePath.books + ".csv", Routes.books),
            (PagePath.unsubscribe, Routes.unsubscribePage), (PagePath.game("maze"), Routes.gamePage),
            (PagePath.board("maze", "lap"), Routes.boardPage), (PagePath.charity("trees"), Routes.charityPage),
            (PagePath.player(player), Routes.playerPage), (PagePath.avatar(picture), Routes.avatar),
            (PagePath.feed(board) + ".json", Routes.boardTop), (PagePath.feed(charity) + ".xml", Routes.charityTop),
            (PagePath.feed(.contributors) + ".csv", Routes.contributorsTop), (PagePath.embed(board), Routes.embedBoard),
            (PagePath.embed(.contributors), Routes.embedContributors),
            (PagePath.charityEmbed("trees"), Routes.embedCharity), (PagePath.overlay(board), Routes.overlayBoard),
            (PageAsset.named("style.css").path, Routes.asset), (PagePath.flag(player), Routes.flag),
            (PagePath.card(of: player), Routes.playerCard),
            (PagePath.card(ofBoard: "lap", in: "maze"), Routes.boardCard),
            (PagePath.card(ofCharity: "trees"), Routes.charityCard),
        ] { #expect(Routes.find(path, method: .get)?.route === route, "\(path)") }
    }

    @Test("routes that are stored as evidence of consent, and quoted in sentences, keep their names") func names() {
        #expect(Routes.customers.name(.post) == "POST /customers")
        #expect(Routes.customer.name(.put) == "PUT /customers/{id}")
        #expect(Routes.highScores.name(.post) == "POST /high_scores")
        #expect(Routes.device.name(.put) == "PUT /v1/games/{game}/devices/{device}")
        #expect(Routes.gamePlayer.name(.put) == "PUT /v1/games/{game}/players/{your-id}")
        #expect(Routes.me.name(.patch) == "PATCH /v1/players/me")
    }

    @Test("pages of other sites read v1, TopScores and the books, and nothing else: not the admin API") func audiences()
    {
        for route in Routes.all {
            let path = route.template.text
            let isOpen =
                path.hasPrefix("/v1/") && !path.hasPrefix("/v1/admin/")
                || ["/TopScores", "/openapi.yaml", "/books"].contains(path)
            #expect(route.audience.isOpenToOtherSites == isOpen, "\(path)")
        }
    }

    @Test(
        "a path that is no route is refused as its neighbours are",
        arguments: [
            ("/v1", Audience.v1), ("/v1/", .v1), ("/v1/x", .v1), ("/v1/admin", .admin), ("/v1/admin/x", .admin),
            ("/v1/adminx", .v1), ("/admin", .console), ("/admin/x", .console), ("/adminx", .visitors),
            ("/v1x", .visitors), ("/customers.plist", .classic), ("/customersx", .classic), ("/scores/1", .classic),
            ("/donations/", .classic), ("/high_scores.", .classic), ("/TopScores.pdf", .classic),
            ("/topscores", .visitors), ("/x/scores", .visitors), ("", .visitors),
        ]) func neighbours(path: String, audience: Audience)
    { #expect(Routes.audience(near: path) == audience) }

    @Test("a template whose holes are not its handlers' parameters traps") func template() async {
        await #expect(processExitsWith: .failure) {
            _ = Route("/v1/{a}", for: .v1, counts: .reads, get: Responder.games)
        }
        await #expect(processExitsWith: .failure) {
            _ = Route("/v1/{a}", for: .v1, counts: .reads, get: Responder.boardSettings)
        }
        await #expect(processExitsWith: .failure) {
            _ = Route("/v1/{a}", for: .v1, counts: .reads, get: Responder.topScores)
        }
        await #expect(processExitsWith: .success) {
            _ = Route("/v1/{a}", for: .v1, counts: .reads, get: Responder.game)
        }
    }

    private func expect<each Parameter: PathParameter & Equatable>(
        _ path: String, _ route: Route<repeat each Parameter>, _ values: repeat each Parameter,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try #require(Routes.tree.find(path), "\(path)", sourceLocation: location)
        #expect(found.route === route, "\(path) is \(found.route.template.text)", sourceLocation: location)
        let read = try route.values(found.texts)
        var areEqual = true
        for (one, other) in repeat (each read, each values) { areEqual = areEqual && one == other }
        #expect(areEqual, "\(path) has the values \(read)", sourceLocation: location)
    }

    /// The operations of the document, such as `GET /v1/games/{}`.
    private static func operations(in document: String) -> Set<String> {
        let methods = ["get", "put", "post", "patch", "delete", "head", "options", "trace"]
        var operations: Set<String> = []
        var path = ""
        for line in document.split(separator: "\n") {
            if line.hasPrefix("  /"), line.hasSuffix(":") { path = withoutNames(line.dropFirst(2).dropLast()) }
            guard line.hasPrefix("    "), line.last == ":", methods.contains(String(line.dropFirst(4).dropLast()))
            else { continue }
            operations.insert("\(line.dropFirst(4).dropLast().uppercased()) \(path)")
        }
        return operations
    }

    /// The path without the names of its parameters, which are no part of an address.
    private static func withoutNames(_ path: some StringProtocol) -> String {
        path.split(separator: "{", omittingEmptySubsequences: false).enumerated().map { index, part in
            index == 0 ? String(part) : "{" + part.drop { $0 != "}" }
        }.joined()
    }
}
