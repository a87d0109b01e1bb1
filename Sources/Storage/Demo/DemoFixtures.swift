package import Domain

/// What a demo's players need: games, boards, charities and pictures.
package struct DemoFixtures: Sendable {
    package struct NewGame: Sendable {
        package let slug: Slug
        package let settings: GameChange

        package init(slug: Slug, settings: GameChange) { (self.slug, self.settings) = (slug, settings) }
    }

    package struct DemoBoard: Sendable {
        package let game: Slug
        package let slug: Slug
        package let settings: BoardChange

        package init(game: Slug, slug: Slug, settings: BoardChange) {
            (self.game, self.slug, self.settings) = (game, slug, settings)
        }
    }

    package struct NewCharity: Sendable {
        package let slug: Slug
        package let change: CharityChange

        package init(slug: Slug, change: CharityChange) {
            self.slug = slug
            self.change = change
        }
    }

    package struct NewAward: Sendable {
        package let game: Slug
        package let slug: Slug
        package let award: Award

        package init(game: Slug, slug: Slug, award: Award) { (self.game, self.slug, self.award) = (game, slug, award) }
    }

    /// The game `default` is there already, and only gets the settings.
    package var games: [NewGame]
    /// The board of the game `default` is there already, and only gets the scoring of teams and countries.
    package var boards: [DemoBoard]
    package var charities: [NewCharity]
    package var awards: [NewAward]
    package var campaigns: [NewCampaign]
    /// PNG files of 40x40 pixels.
    package var pictures: [[UInt8]]
    /// The time at which all of it counts as added.
    package var addedAt: Instant

    package init(
        games: [NewGame], boards: [DemoBoard], charities: [NewCharity], awards: [NewAward], campaigns: [NewCampaign],
        pictures: [[UInt8]], addedAt: Instant
    ) {
        self.games = games
        self.boards = boards
        self.charities = charities
        (self.awards, self.campaigns) = (awards, campaigns)
        self.pictures = pictures
        self.addedAt = addedAt
    }
}

/// The database's ids of a demo's fixtures.
package struct DemoIDs: Sendable {
    struct BoardPath: Hashable {
        let game: String
        let board: String
    }

    let games: [String: Game.ID]
    let boards: [BoardPath: Board.ID]
    let charities: [String: Int32]
    /// In the order of the fixtures' pictures.
    package let pictures: [AvatarHash]

    package func game(_ slug: Slug) -> Game.ID? { games[slug.description] }

    package func board(_ slug: Slug, in game: Slug) -> Board.ID? {
        boards[BoardPath(game: game.description, board: slug.description)]
    }

    package func charity(_ slug: Slug) -> Int32? { charities[slug.description] }
}
