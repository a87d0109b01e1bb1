/// Where the link in an update by e-mail leads: it asks first, as programs open links too, and then says that it is
/// done.
package struct UnsubscribePage: Sendable {
    private let link: String
    private let isDone: Bool

    /// - Parameter link: The sealed text of the link, in characters that need no escaping in an address.
    package init(link: String, isDone: Bool) {
        self.link = link
        self.isDone = isDone
    }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let heading = language.text(isDone ? "unsubscribe.done" : "unsubscribe.title")
        var head = PageHead(title: heading, description: nil, path: PagePath.unsubscribe, query: [("t", link)])
        head.isIndexed = false
        head.isCanonical = false
        return context.page(
            "unsubscribe", head,
            [
                "heading": .text(heading),
                "text": .text(language.text(isDone ? "unsubscribe.done-text" : "unsubscribe.question")),
                "action": isDone ? false : .markup(context.href(PagePath.unsubscribe, [("t", link)])),
                "button": .text(language.text("unsubscribe.button")),
            ])
    }
}
