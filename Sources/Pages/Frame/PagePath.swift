package import Domain

/// The addresses of the pages, and of what pages refer to. A test holds them to the routes that serve them.
package enum PagePath {
    package static let home = "/"
    package static let charities = "/charities"
    package static let campaigns = "/campaigns"
    package static let contributors = "/contributors"
    package static let privacy = "/privacy"
    package static let books = "/books"
    package static let play = "/play"
    package static let unsubscribe = "/unsubscribe"

    package static func game(_ game: String) -> String { "/games/\(game)" }
    package static func board(_ game: String, _ board: String) -> String { "/games/\(game)/boards/\(board)" }
    package static func teams(_ game: String, _ board: String) -> String { "/games/\(game)/boards/\(board)/teams" }
    package static func team(_ game: String, _ team: Team.ID) -> String { "/games/\(game)/teams/\(team.rawValue)" }
    package static func awards(_ game: String) -> String { "/games/\(game)/awards" }
    package static func badge(_ game: String, _ award: Slug) -> String { "/games/\(game)/awards/\(award).svg" }
    package static func winners(_ game: String, _ board: String) -> String { "/games/\(game)/boards/\(board)/winners" }

    package static func countries(_ game: String, _ board: String) -> String {
        "/games/\(game)/boards/\(board)/countries"
    }
    package static func charity(_ charity: String) -> String { "/charities/\(charity)" }
    package static func campaign(_ campaign: Slug) -> String { "\(campaigns)/\(campaign)" }
    package static func player(_ player: Player.ID) -> String { "/players/\(player.rawValue)" }
    package static func avatar(_ avatar: AvatarHash) -> String { "/v1/avatars/\(avatar.hex).png" }
    package static func flag(_ player: Player.ID) -> String { "/flags/\(player.rawValue).svg" }

    package static func books(_ day: Day) -> String { "\(books)?day=\(day.text)" }

    /// - Parameter link: The sealed text that names the player.
    package static func unsubscribe(_ link: String) -> String { "\(unsubscribe)?t=\(link)" }

    /// The path of a feed, or of its stream, without a suffix.
    package static func feed(_ ranked: Ranked) -> String { "/v1\(ranked.apiPath)/top" }
    package static func teamsFeed(_ game: String, _ board: String) -> String {
        "/v1/games/\(game)/boards/\(board)/teams/top"
    }
    package static func winnersFeed(_ game: String, _ board: String) -> String {
        "/v1/games/\(game)/boards/\(board)/winners"
    }

    package static func countriesFeed(_ game: String, _ board: String) -> String {
        "/v1/games/\(game)/boards/\(board)/countries/top"
    }
    package static func live(_ ranked: Ranked) -> String { "/v1\(ranked.apiPath)/live" }
    package static func embed(_ ranked: Ranked) -> String { "/embed\(ranked.embedPath)" }
    package static func overlay(_ ranked: Ranked) -> String { "/overlay\(ranked.embedPath)" }
    package static func charityEmbed(_ charity: String) -> String { "/embed/charities/\(charity)" }
    package static func campaignFeed(_ campaign: Slug) -> String { "/v1/campaigns/\(campaign)/top" }
    package static func liveCampaign(_ campaign: Slug) -> String { "/v1/campaigns/\(campaign)/live" }
    package static func campaignEmbed(_ campaign: Slug) -> String { "/embed/campaigns/\(campaign)" }
    package static func campaignOverlay(_ campaign: Slug) -> String { "/overlay/campaigns/\(campaign)" }
    package static func card(of player: Player.ID) -> String { "/cards/players/\(player.rawValue).png" }
    package static func card(ofBoard board: String, in game: String) -> String { "/cards/boards/\(game)/\(board).png" }
    package static func card(ofCharity charity: String) -> String { "/cards/charities/\(charity).png" }
    package static func card(ofCampaign campaign: Slug) -> String { "/cards/campaigns/\(campaign).png" }
}

/// What a page or an embed ranks: the players of a board, or those who donated.
package enum Ranked: Sendable, Hashable {
    case board(game: String, board: String)
    case contributors
    case contributorsOfCharity(String)

    /// The path of its page.
    var path: String {
        switch self {
        case .board(let game, let board): PagePath.board(game, board)
        case .contributors: PagePath.contributors
        case .contributorsOfCharity(let charity): PagePath.charity(charity) + "/contributors"
        }
    }

    fileprivate var apiPath: String {
        switch self {
        case .board(let game, let board): "/games/\(game)/boards/\(board)"
        case .contributors: "/contributors"
        case .contributorsOfCharity(let charity): "/charities/\(charity)"
        }
    }

    fileprivate var embedPath: String {
        switch self {
        case .board(let game, let board): "/boards/\(game)/\(board)"
        case .contributors: "/contributors"
        case .contributorsOfCharity(let charity): "/charities/\(charity)"
        }
    }
}
