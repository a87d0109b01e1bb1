/// A game with the boards that are played now, as pages list them.
package struct ListedGame: Sendable, Equatable {
    package struct Board: Sendable, Equatable {
        package let slug: Slug
        package let name: String

        package init(slug: Slug, name: String) {
            self.slug = slug
            self.name = name
        }
    }

    package let slug: Slug
    package let name: String
    package let boards: [Board]

    package init(slug: Slug, name: String, boards: [Board]) {
        self.slug = slug
        self.name = name
        self.boards = boards
    }
}
