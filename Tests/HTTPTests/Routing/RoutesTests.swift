import Domain
import Feeds
import FoundationEssentials
import HTTPServer
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
        try expect("/", Routes.pages.home)
        try expect("/healthz", Routes.server.healthy)
        try expect("/readyz", Routes.server.ready)
        try expect("/metrics", Routes.server.metrics)
        try expect("/openapi.yaml", Routes.server.contract)
        try expect("/customers", Routes.classic.customers, nil)
        try expect("/customers.json", Routes.classic.customers, .json)
        try expect("/customers/7", Routes.classic.customer, player, nil)
        try expect("/customers/7.xml", Routes.classic.customer, player, .xml)
        try expect("/scores", Routes.classic.scores, nil)
        try expect("/donations.xml", Routes.classic.donations, .xml)
        try expect("/high_scores", Routes.classic.highScores, nil)
        try expect("/high_scores.plist", Routes.classic.highScores, .plist)
        try expect("/TopScores.atom", Routes.classic.topScores, .atom)
        try expect("/v1/games/default/boards/high-scores/top.csv", Routes.v1.boardTop, game, .highScores, .csv)
        try expect("/v1/games", Routes.v1.games)
        try expect("/v1/games/maze", Routes.v1.game, maze)
        try expect("/v1/games/maze/boards", Routes.v1.boards, maze)
        try expect("/v1/games/maze/boards/lap", Routes.v1.board, maze, lap)
        try expect("/v1/games/maze/boards/lap/top", Routes.v1.boardTop, maze, lap, nil)
        try expect("/v1/games/maze/boards/lap/winners.json", Routes.v1.winners, maze, lap, .json)
        try expect("/v1/games/maze/boards/lap/countries/top.csv", Routes.v1.countriesTop, maze, lap, .csv)
        try expect("/v1/games/maze/boards/lap/rank", Routes.v1.rankOfPoints, maze, lap)
        try expect("/v1/games/maze/boards/lap/players/7", Routes.v1.position, maze, lap, player)
        try expect("/v1/games/maze/boards/lap/players/me", Routes.v1.myPosition, maze, lap)
        try expect("/v1/games/maze/boards/lap/players/7/around", Routes.v1.around, maze, lap, player, nil)
        try expect("/v1/games/maze/boards/lap/players/me/around.plist", Routes.v1.aroundMe, maze, lap, .plist)
        try expect("/v1/games/maze/boards/lap/players/me/friends.csv", Routes.v1.friendsTop, maze, lap, .csv)
        try expect("/v1/charities/trees/players/me/friends", Routes.v1.charityFriends, trees, nil)
        try expect("/v1/contributors/players/me/friends.json", Routes.v1.contributorsFriends, .json)
        try expect("/v1/games/maze/devices/%7BAB-1%7D", Routes.v1.device, maze, "{AB-1}")
        try expect("/v1/games/maze/players/u:7", Routes.v1.gamePlayer, maze, "u:7")
        try expect("/v1/games/maze/players/me", Routes.v1.gamePlayer, maze, "me")
        try expect("/v1/games/maze/players/u:7/codes", Routes.v1.gamePlayerCodes, maze, "u:7")
        try expect("/v1/games/maze/sign-ins", Routes.v1.signIns, maze)
        try expect("/v1/players/me/identities", Routes.v1.myIdentities)
        try expect("/v1/players/me/identities/lap", Routes.v1.myIdentity, lap)
        try expect("/v1/players/me/friends", Routes.v1.myFriends)
        try expect("/v1/players/me/friends/codes", Routes.v1.myFriendCodes)
        try expect("/v1/players/me/friends/7", Routes.v1.myFriend, player)
        try expect("/v1/players/me/blocks/7", Routes.v1.myBlock, player)
        try expect("/v1/players/me/team", Routes.v1.myTeam)
        try expect("/v1/players/me/plan", Routes.v1.myPlan)
        try expect("/v1/games/maze/awards", Routes.v1.gameAwards, maze)
        try expect("/v1/players/me/awards", Routes.v1.myAwards)
        try expect("/v1/games/maze/players/u:7/awards/lap", Routes.v1.gamePlayerAward, maze, "u:7", lap)
        try expect("/games/maze/awards", Routes.pages.awardsPage, maze)
        try expect("/games/maze/awards/lap.png", Routes.pages.awardBadge, maze, lap, .png)
        try expect("/v1/games/maze/teams/7", Routes.v1.team, maze, "7")
        try expect("/v1/games/maze/teams/g:7/members/u:7", Routes.v1.teamMember, maze, "g:7", "u:7")
        try expect("/v1/games/maze/teams/7/report", Routes.v1.teamReport, maze, "7")
        try expect("/v1/games/maze/boards/lap/players/me/team.xml", Routes.v1.myTeamTop, maze, lap, .xml)
        try expect("/v1/games/maze/boards/lap/teams/top.csv", Routes.v1.boardTeams, maze, lap, .csv)
        try expect("/v1/charities/trees/teams/top", Routes.v1.charityTeams, trees, nil)
        try expect("/v1/contributors/teams/top.json", Routes.v1.contributorTeams, .json)
        try expect("/v1/players/me", Routes.v1.me)
        try expect("/v1/players/7", Routes.v1.player, player)
        try expect("/v1/players/me/scores", Routes.v1.myScores)
        try expect("/v1/players/me/donations", Routes.v1.myDonations)
        try expect("/v1/players/me/saves", Routes.v1.mySaves)
        try expect("/v1/players/me/saves/lap", Routes.v1.mySave, lap)
        try expect("/v1/players/me/saves/lap/versions", Routes.v1.mySaveVersions, lap)
        try expect("/v1/players/me/live", Routes.v1.myLive)
        try expect("/v1/charities/trees", Routes.v1.charity, trees)
        try expect("/v1/charities/trees/top.atom", Routes.v1.charityTop, trees, .atom)
        try expect("/v1/contributors/top", Routes.v1.contributorsTop, nil)
        try expect("/v1/games/maze/boards/lap/live", Routes.v1.boardLive, maze, lap)
        try expect("/v1/charities/live", Routes.v1.charitiesLive)
        try expect("/v1/charities/trees/live", Routes.v1.charityLive, trees)
        try expect("/v1/contributors/live", Routes.v1.contributorsLive)
        try expect("/v1/charities", Routes.v1.charities, nil)
        try expect("/v1/charities.html", Routes.v1.charities, .html)
        try expect("/v1/avatars/\(picture.hex).png", Routes.v1.avatar, picture)
        for (path, route) in [
            ("/v1/games/maze/boards/lap/scores/x", Routes.v1.score as any ServedRoute),
            ("/v1/charities/trees/donations/%FF", Routes.v1.donation),
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
            Routes.pages.home, Routes.server.healthy, Routes.server.ready, Routes.server.metrics,
            Routes.server.contract, Routes.v1.me, Routes.v1.myScores, Routes.v1.myDonations, Routes.v1.games,
            Routes.pages.charitiesPage, Routes.pages.campaignsPage, Routes.pages.contributorsPage,
            Routes.pages.privacyPage, Routes.pages.playPage, Routes.pages.clientScript, Routes.pages.embedContributors,
            Routes.pages.embedColours, Routes.pages.embedScript, Routes.pages.overlayContributors,
            Routes.v1.charitiesLive, Routes.v1.contributorsLive, Routes.pages.unsubscribePage, Routes.v1.myCodes,
            Routes.v1.myRecovery, Routes.v1.myDevices, Routes.v1.mySaves, Routes.v1.myLive, Routes.v1.myToken,
            Routes.v1.myErasure, Routes.v1.myExport, Routes.v1.myIdentities, Routes.v1.myFriends,
            Routes.v1.myFriendCodes, Routes.v1.myTeam, Routes.v1.myPlan, Routes.v1.myAwards, Routes.v1.myChallenges,
            Routes.admin.campaigns,
        ] { try check(route) }
        for text in hostile {
            try check(Routes.v1.device, long, text)
            try check(Routes.v1.myDevice, text)
            try check(Routes.v1.gamePlayer, long, text)
            try check(Routes.v1.gamePlayerCodes, long, text)
            try check(Routes.v1.gamePlayerAward, long, text, long)
            for route in [Routes.v1.team, Routes.v1.teamReport, Routes.pages.teamPage] { try check(route, long, text) }
            try check(Routes.v1.teamMember, long, text, "u")
            try check(Routes.v1.mySave, long)
            try check(Routes.v1.mySaveVersions, long)
            try check(Routes.pages.asset, text)
        }
        for format in [nil] + DocumentFormat.allCases {
            for route in [Routes.classic.customers, Routes.classic.scores, Routes.classic.donations] {
                try check(route, format)
            }
            for id in [1, Limits.playerIDMax] { try check(Routes.classic.customer, Player.ID(rawValue: id), format) }
        }
        for format in [nil] + FeedFormat.allCases {
            for route in [
                Routes.v1.campaigns, Routes.classic.highScores, Routes.classic.topScores, Routes.v1.charities,
                Routes.v1.contributorsTop, Routes.v1.contributorsFriends, Routes.v1.newestDonations,
                Routes.v1.contributorTeams, Routes.pages.books,
            ] { try check(route, format) }
            for slug in [game, lap, long, try #require(Slug("0"))] {
                for route in [
                    Routes.v1.boardTop, Routes.v1.boardTeams, Routes.v1.myTeamTop, Routes.v1.countriesTop,
                    Routes.v1.winners,
                ] { try check(route, slug, long, format) }
                try check(Routes.v1.aroundMe, long, slug, format)
                try check(Routes.v1.friendsTop, long, slug, format)
                try check(Routes.v1.around, slug, lap, player, format)
                for route in [
                    Routes.v1.charityTop, Routes.v1.charityTeams, Routes.v1.charityDonations, Routes.v1.charityFriends,
                    Routes.v1.campaignTop, Routes.v1.campaignTeams, Routes.v1.cohort,
                ] { try check(route, slug, format) }
            }
        }
        for slug in [game, lap, long] {
            for route in [
                Routes.v1.game, Routes.v1.gameAwards, Routes.v1.boards, Routes.v1.signIns, Routes.v1.myIdentity,
            ] { try check(route, slug) }
            for route in [
                Routes.v1.board, Routes.v1.myPosition, Routes.v1.rankOfPoints, Routes.pages.boardPage,
                Routes.pages.teamsPage, Routes.pages.countriesPage, Routes.pages.winnersPage, Routes.pages.embedBoard,
                Routes.pages.overlayBoard, Routes.v1.boardLive, Routes.pages.boardCard,
            ] { try check(route, slug, lap) }
            for route in [
                Routes.pages.gamePage, Routes.pages.awardsPage, Routes.pages.charityPage,
                Routes.pages.charityContributorsPage, Routes.pages.overlayCharity, Routes.pages.charityCard,
                Routes.pages.campaignPage, Routes.pages.overlayCampaign, Routes.pages.campaignCard,
            ] { try check(route, slug) }
            for picture in [nil] + PictureFormat.allCases {
                try check(Routes.pages.embedCharity, slug, picture)
                try check(Routes.pages.embedCampaign, slug, picture)
                try check(Routes.pages.awardBadge, slug, lap, picture)
            }
            try check(Routes.v1.position, slug, lap, player)
            for route in [
                Routes.v1.charity, Routes.v1.charityLive, Routes.v1.campaign, Routes.v1.campaignLive,
                Routes.v1.campaignEntry, Routes.admin.campaign, Routes.console.campaign,
            ] { try check(route, slug) }
            for route in [
                Routes.admin.game, Routes.admin.charity, Routes.console.game, Routes.console.newBoard,
                Routes.console.newProvider, Routes.console.newAward, Routes.console.charity,
            ] { try check(route, slug) }
            for route in [
                Routes.admin.board, Routes.admin.provider, Routes.admin.award, Routes.console.board,
                Routes.console.provider, Routes.console.award, Routes.console.providerRemoval,
            ] { try check(route, slug, lap) }
            for format in [nil] + ListFormat.allCases {
                for route in [
                    Routes.admin.boards, Routes.admin.providers, Routes.admin.awards, Routes.admin.teams,
                    Routes.console.awards, Routes.console.teams, Routes.admin.charityDonations, Routes.console.boards,
                    Routes.console.providers, Routes.console.charityDonations,
                ] { try check(route, slug, format) }
            }
            for route in [Routes.v1.score, Routes.v1.challenge, Routes.v1.challengeEntry] {
                try check(route, slug, lap, ClientID(UUID()))
            }
            try check(Routes.v1.donation, slug, ClientID(UUID()))
            try check(Routes.v1.held, slug)
            try check(Routes.v1.heldItem, slug, ClientID(UUID()))
        }
        for route in [
            Routes.v1.player, Routes.pages.playerPage, Routes.pages.flag, Routes.pages.playerCard, Routes.v1.report,
            Routes.v1.myFriend, Routes.v1.myBlock,
        ] { try check(route, Player.ID(rawValue: Limits.playerIDMax)) }
        for route in [
            Routes.admin.player, Routes.admin.codes, Routes.admin.friends, Routes.console.player, Routes.console.codes,
            Routes.console.friends, Routes.admin.activity, Routes.console.activity,
        ] { try check(route, player) }
        for route in [
            Routes.console.overview, Routes.console.signIn, Routes.console.signOut, Routes.console.newGame,
            Routes.console.newCharity, Routes.console.newKey, Routes.console.actions, Routes.console.audits,
            Routes.console.campaigns, Routes.console.newCampaign,
        ] { try check(route) }
        try check(Routes.console.asset, "a.css")
        try check(Routes.console.picture, picture)
        for route in [
            Routes.admin.key, Routes.admin.action, Routes.admin.audit, Routes.console.action, Routes.console.audit,
            Routes.console.endKey,
        ] { try check(route, ClientID(UUID())) }
        for format in [nil] + ListFormat.allCases {
            for route in [
                Routes.admin.games, Routes.admin.charities, Routes.admin.keys, Routes.admin.players,
                Routes.admin.playerSearch, Routes.admin.stats, Routes.admin.subscribers, Routes.admin.log,
                Routes.admin.queue, Routes.admin.erasures, Routes.console.games, Routes.console.charities,
                Routes.console.keys, Routes.console.players, Routes.console.stats, Routes.console.subscribers,
                Routes.console.log, Routes.console.queue,
            ] { try check(route, format) }
            for route in [
                Routes.admin.ledger, Routes.admin.playerActions, Routes.console.ledger, Routes.console.playerActions,
            ] { try check(route, player, format) }
        }
        try check(Routes.v1.avatar, picture)
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
            (ConsolePath.overview, Routes.console.overview as any ServedRoute),
            (ConsolePath.signIn, Routes.console.signIn), (ConsolePath.signOut, Routes.console.signOut),
            (ConsolePath.queue, Routes.console.queue), (ConsolePath.players, Routes.console.players),
            (ConsolePath.games, Routes.console.games), (ConsolePath.charities, Routes.console.charities),
            (ConsolePath.campaigns, Routes.console.campaigns), (ConsolePath.keys, Routes.console.keys),
            (ConsolePath.log, Routes.console.log), (ConsolePath.audit, Routes.console.audits),
            (ConsolePath.subscribers, Routes.console.subscribers), (ConsolePath.actions, Routes.console.actions),
        ] {
            #expect(Routes.find(path, method: .get, on: .admin)?.route === route, "\(path)")
            #expect(Routes.find(path, method: .get, on: .open) == nil, "\(path)")
        }
    }

    @Test("pages link to addresses that are served") func pagePaths() throws {
        let board = Ranked.board(game: "maze", board: "lap")
        let charity = Ranked.contributorsOfCharity("trees")
        for (path, route) in [
            (PagePath.home, Routes.pages.home as any ServedRoute), (PagePath.charities, Routes.pages.charitiesPage),
            (PagePath.contributors, Routes.pages.contributorsPage), (PagePath.privacy, Routes.pages.privacyPage),
            (PagePath.play, Routes.pages.playPage), (PagePath.books, Routes.pages.books),
            (PagePath.books + ".csv", Routes.pages.books), (PagePath.unsubscribe, Routes.pages.unsubscribePage),
            (PagePath.game("maze"), Routes.pages.gamePage), (PagePath.board("maze", "lap"), Routes.pages.boardPage),
            (PagePath.teams("maze", "lap"), Routes.pages.teamsPage), (PagePath.awards("maze"), Routes.pages.awardsPage),
            (PagePath.badge("maze", lap), Routes.pages.awardBadge),
            (PagePath.team("maze", Team.ID(rawValue: 7)), Routes.pages.teamPage),
            (PagePath.teamsFeed("maze", "lap") + ".csv", Routes.v1.boardTeams),
            (PagePath.charity("trees"), Routes.pages.charityPage), (PagePath.player(player), Routes.pages.playerPage),
            (PagePath.avatar(picture), Routes.v1.avatar), (PagePath.feed(board) + ".json", Routes.v1.boardTop),
            (PagePath.countries("maze", "lap"), Routes.pages.countriesPage),
            (PagePath.winners("maze", "lap"), Routes.pages.winnersPage),
            (PagePath.countriesFeed("maze", "lap") + ".csv", Routes.v1.countriesTop),
            (PagePath.winnersFeed("maze", "lap") + ".csv", Routes.v1.winners),
            (PagePath.feed(charity) + ".xml", Routes.v1.charityTop),
            (PagePath.feed(.contributors) + ".csv", Routes.v1.contributorsTop),
            (PagePath.embed(board), Routes.pages.embedBoard),
            (PagePath.embed(.contributors), Routes.pages.embedContributors),
            (PagePath.charityEmbed("trees"), Routes.pages.embedCharity),
            (PagePath.overlay(board), Routes.pages.overlayBoard),
            (PageAsset.named("style.css").path, Routes.pages.asset), (PagePath.flag(player), Routes.pages.flag),
            (PagePath.card(of: player), Routes.pages.playerCard),
            (PagePath.card(ofBoard: "lap", in: "maze"), Routes.pages.boardCard),
            (PagePath.card(ofCharity: "trees"), Routes.pages.charityCard),
            (PagePath.campaigns, Routes.pages.campaignsPage), (PagePath.campaign(lap), Routes.pages.campaignPage),
            (PagePath.campaignFeed(lap) + ".csv", Routes.v1.campaignTop),
            (PagePath.campaignEmbed(lap) + ".svg", Routes.pages.embedCampaign),
            (PagePath.campaignOverlay(lap), Routes.pages.overlayCampaign),
            (PagePath.card(ofCampaign: lap), Routes.pages.campaignCard),
        ] { #expect(Routes.find(path, method: .get)?.route === route, "\(path)") }
    }

    @Test("routes that are stored as evidence of consent, and quoted in sentences, keep their names") func names() {
        #expect(Routes.classic.customers.name(.post) == "POST /customers")
        #expect(Routes.classic.customer.name(.put) == "PUT /customers/{id}")
        #expect(Routes.classic.highScores.name(.post) == "POST /high_scores")
        #expect(Routes.v1.device.name(.put) == "PUT /v1/games/{game}/devices/{device}")
        #expect(Routes.v1.gamePlayer.name(.put) == "PUT /v1/games/{game}/players/{your-id}")
        #expect(Routes.v1.me.name(.patch) == "PATCH /v1/players/me")
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
            _ = Route("/v1/{a}", for: .v1, counts: .reads, get: RankingHandlers.games)
        }
        await #expect(processExitsWith: .failure) {
            _ = Route("/v1/{a}", for: .v1, counts: .reads, get: RankingHandlers.boardSettings)
        }
        await #expect(processExitsWith: .failure) {
            _ = Route("/v1/{a}", for: .v1, counts: .reads, get: ClassicHandlers.topScores)
        }
        await #expect(processExitsWith: .success) {
            _ = Route("/v1/{a}", for: .v1, counts: .reads, get: RankingHandlers.game)
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
