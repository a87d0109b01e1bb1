import Domain
import Feeds
import Testing

@testable import HTTP

@Suite struct RouteTests {
    @Test("every address of the contract is a route")
    func known() throws {
        let hash = try #require(AvatarHash(hex: String(repeating: "0a", count: 32)))
        let game = Slug.defaultGame
        let (maze, lap, trees) = (try #require(Slug("maze")), try #require(Slug("lap")), try #require(Slug("trees")))
        let expected: [(String, Route)] = [
            ("/", .home), ("/healthz", .healthy), ("/readyz", .ready), ("/metrics", .metrics),
            ("/customers", .customers(suffix: nil)),
            ("/customers.json", .customers(suffix: .json)),
            ("/customers/7", .customer(Player.ID(rawValue: 7), suffix: nil)),
            ("/customers/7.xml", .customer(Player.ID(rawValue: 7), suffix: .xml)),
            ("/scores", .scores(suffix: nil)), ("/donations.xml", .donations(suffix: .xml)),
            ("/high_scores", .highScores(suffix: nil)),
            ("/high_scores.plist", .highScores(suffix: .plist)), ("/TopScores.atom", .topScores(suffix: .atom)),
            ("/v1/games/default/boards/high-scores/top.csv", .boardTop(game: game, board: .highScores, suffix: .csv)),
            ("/openapi.yaml", .contract), ("/v1/games", .games), ("/v1/games/maze", .game(maze)),
            ("/v1/games/maze/boards", .boards(game: maze)),
            ("/v1/games/maze/boards/lap", .board(game: maze, board: lap)),
            ("/v1/games/maze/boards/lap/top", .boardTop(game: maze, board: lap, suffix: nil)),
            ("/v1/games/maze/boards/lap/rank", .boardPointsRank(game: maze, board: lap)),
            (
                "/v1/games/maze/boards/lap/players/7",
                .boardPosition(game: maze, board: lap, .player(Player.ID(rawValue: 7)))
            ),
            ("/v1/games/maze/boards/lap/players/me", .boardPosition(game: maze, board: lap, .me)),
            (
                "/v1/games/maze/boards/lap/players/me/around.plist",
                .boardAround(game: maze, board: lap, .me, suffix: .plist)
            ),
            ("/v1/games/maze/boards/lap/scores/x", .score(game: maze, board: lap, id: "x")),
            ("/v1/games/maze/devices/%7BAB-1%7D", .device(game: maze, device: "{AB-1}")),
            ("/v1/games/maze/players/u:7", .gamePlayer(game: maze, id: "u:7")), ("/v1/players/me", .me),
            ("/v1/players/7", .player(Player.ID(rawValue: 7))),
            ("/v1/players/me/scores", .myScores), ("/v1/players/me/donations", .myDonations),
            ("/v1/charities/trees", .charity(trees)),
            ("/v1/charities/trees/top.atom", .charityTop(trees, suffix: .atom)),
            ("/v1/contributors/top", .contributorsTop(suffix: nil)),
            ("/v1/charities/trees/donations/x", .donation(charity: trees, id: "x")),
            ("/v1/charities", .charities(suffix: nil)),
            ("/v1/charities.html", .charities(suffix: .html)), ("/v1/avatars/\(hash.hex).png", .avatar(hash)),
        ]
        for (path, route) in expected {
            #expect(Route(path: path) == route, "\(path)")
        }
    }

    @Test(
        "every other address is none",
        arguments: [
            "", "customers", "//", "/customers/", "/customers/0", "/customers/-1", "/customers/+7", "/customers/7/8",
            "/customers/99999999999999999999",
            "/customers.plist", "/TopScores.pdf", "/topscores.xml", "/TopScores.xml/", "/v1", "/v1/", "/v1/games/",
            "/v1/games/default/",
            "/v1/games/default/boards/", "/v1/players", "/v1/players/", "/v1/players/you",
            "/v1/players/0", "/v1/players/9007199254740992", "/v1/players/7/scores", "/v1/players/me/",
            "/v1/charities/top",
            "/v1/charities/trees/top.pdf", "/v1/charities/trees/donations", "/v1/contributors",
            "/v1/games/maze/devices",
            "/v1/games/maze/boards/lap/players", "/v1/games/maze/boards/lap/players/7/near",
            "/v1/games/maze/boards/lap/rank.json",
            "/v1/games/maze/boards/lap/scores/x/y", "/v1/games/maze/devices/%FF",
            "/v1/games/DEFAULT/boards/high-scores/top.json", "/v1/games/default/boards/me/top.json",
            "/v1/avatars/00.png",
            "/v1/avatars/.png",
            "/v1/games/a/b/c/d/e", "/high_scores.", "/.xml", "/%00",
        ]
    )
    func unknown(path: String) {
        #expect(Route(path: path) == nil)
    }
}
