package import Domain

/// By what ids the database knows the ground of a demo.
package struct DemoPlaces: Sendable {
    struct BoardPath: Hashable {
        let game: String
        let board: String
    }

    let games: [String: Game.ID]
    let boards: [BoardPath: Board.ID]
    let charities: [String: Int32]
    /// In the order in which they were given.
    package let pictures: [AvatarHash]

    package func game(_ slug: Slug) -> Game.ID? { games[slug.description] }

    package func board(_ slug: Slug, in game: Slug) -> Board.ID? {
        boards[BoardPath(game: game.description, board: slug.description)]
    }

    package func charity(_ slug: Slug) -> Int32? { charities[slug.description] }
}
