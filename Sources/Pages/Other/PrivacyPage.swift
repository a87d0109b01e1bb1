/// What the server keeps of players, and what its pages do not do.
package struct PrivacyPage: Sendable {
    package init() {}

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let head = PageHead(
            title: language.text("privacy.title"), description: language.text("privacy.intro"), path: PagePath.privacy)
        let sections = ["public", "kept", "friends", "teams", "plans", "challenges", "awards", "never", "rights"].map {
            section in
            [
                "heading": Fill.text(language.text("privacy.\(section)")),
                "paragraphs": .list([["text": .text(language.text("privacy.\(section)-text"))]]),
            ]
        }
        return context.page(
            "text", head,
            [
                "heading": .text(language.text("privacy.title")), "intro": .text(language.text("privacy.intro")),
                "sections": .list(sections),
            ])
    }
}
