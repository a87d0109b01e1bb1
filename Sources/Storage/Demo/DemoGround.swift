package import Domain

/// What must be there before players can come: games, boards, charities and pictures.
package struct DemoGround: Sendable {
    package struct NewGame: Sendable {
        package let slug: Slug
        package let name: DisplayName

        package init(slug: Slug, name: DisplayName) {
            self.slug = slug
            self.name = name
        }
    }

    package struct NewCharity: Sendable {
        package let slug: Slug
        package let change: CharityChange
        package let zone: String

        package init(slug: Slug, change: CharityChange, zone: String) {
            self.slug = slug
            self.change = change
            self.zone = zone
        }
    }

    package var games: [NewGame]
    package var boards: [NewBoard]
    package var charities: [NewCharity]
    /// PNGs of 40x40 pixels.
    package var pictures: [[UInt8]]
    /// When all of it was made.
    package var addedAt: Instant

    package init(games: [NewGame], boards: [NewBoard], charities: [NewCharity], pictures: [[UInt8]], addedAt: Instant) {
        self.games = games
        self.boards = boards
        self.charities = charities
        self.pictures = pictures
        self.addedAt = addedAt
    }
}
