package import Domain

/// The page of the awards of a game.
package struct AwardsPage: Sendable, Equatable {
    /// An award as everybody sees it.
    package struct ShownAward: Sendable, Equatable {
        package let slug: Slug
        package let name: String
        /// What a player has to do; nil for a secret award, and where nothing is said.
        package let text: String?
        package let isSecret: Bool
        /// How often it was given.
        package let givenCount: Int64

        package init(_ slug: Slug, name: String, text: String?, isSecret: Bool, givenCount: Int64) {
            (self.slug, self.name, self.text) = (slug, name, text)
            (self.isSecret, self.givenCount) = (isSecret, givenCount)
        }
    }

    private let game: String
    private let gameName: String
    private let awards: [ShownAward]

    /// - Parameter game: The slug of the game.
    package init(game: String, gameName: String, _ awards: [ShownAward]) {
        (self.game, self.gameName, self.awards) = (game, gameName, awards)
    }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let heading = language.text("awards.heading", ["game": gameName])
        let head = PageHead(title: heading, path: PagePath.awards(game), section: .boards)
        return context.page(
            "awards", head,
            [
                "parent": .text(gameName), "parent-href": .markup(context.href(PagePath.game(game))),
                "heading": .text(heading), "has-awards": .flag(!awards.isEmpty),
                "awards": .list(awards.map { award($0, language) }),
            ])
    }

    private func award(_ award: ShownAward, _ language: Language) -> Scope {
        [
            "id": .text(award.slug.description), "name": .text(award.name),
            "picture": .text(PagePath.badge(game, award.slug)),
            "text": .text(ifAny: award.text ?? (award.isSecret ? language.text("awards.secret") : nil)),
            "given": .text(language.text("awards.given", count: Int128(award.givenCount))),
        ]
    }
}
