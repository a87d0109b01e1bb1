import Domain
import Feeds
import Testing

@testable import HTTP

@Suite struct RouteTests {
    @Test("every address of the contract is a route")
    func known() throws {
        let hash = try #require(AvatarHash(hex: String(repeating: "0a", count: 32)))
        let game = Slug.defaultGame
        let expected: [(String, Route)] = [
            ("/", .home), ("/healthz", .healthy), ("/readyz", .ready), ("/customers", .customers(suffix: nil)),
            ("/customers.json", .customers(suffix: .json)),
            ("/customers/7", .customer(Player.ID(rawValue: 7), suffix: nil)),
            ("/customers/7.xml", .customer(Player.ID(rawValue: 7), suffix: .xml)),
            ("/scores", .scores(suffix: nil)), ("/donations.xml", .donations(suffix: .xml)), ("/high_scores", .highScores(suffix: nil)),
            ("/high_scores.plist", .highScores(suffix: .plist)), ("/TopScores.atom", .topScores(suffix: .atom)),
            ("/v1/games/default/boards/high-scores/top.csv", .boardTop(game: game, board: .highScores, suffix: .csv)),
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
            "/customers.plist", "/TopScores.pdf", "/topscores.xml", "/TopScores.xml/", "/v1", "/v1/", "/v1/games",
            "/v1/games/default/boards/high-scores",
            "/v1/games/DEFAULT/boards/high-scores/top.json", "/v1/games/default/boards/me/top.json", "/v1/avatars/00.png",
            "/v1/avatars/.png",
            "/v1/games/a/b/c/d/e", "/high_scores.", "/.xml", "/%00",
        ])
    func unknown(path: String) {
        #expect(Route(path: path) == nil)
    }
}
