/// The page of a request that cannot be answered: what happened, and what is here instead.
package struct ErrorPage: Sendable {
    private let status: Int
    private let problem: String
    private let detail: String
    private let request: String?

    /// - Parameters:
    ///   - problem: The problem's name, such as `not-found`.
    ///   - detail: What happened and what to do, in English, as the problem says it.
    ///   - request: The request's id, for the operator's log.
    package init(status: Int, problem: String, detail: String, request: String?) {
        self.status = status
        self.problem = problem
        self.detail = detail
        self.request = request
    }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let kind =
            switch status {
            case 404: "not-found"
            case 410: "gone"
            case 429: "too-many"
            case 503: "busy"
            case 500...: "server"
            default: "refused"
            }
        let heading = language.text("error.\(kind)")
        var head = PageHead(title: heading, description: nil, path: PagePath.home)
        head.isIndexed = false
        // The sentence of the problem is in English, and says more than the general one where a value was refused.
        let text = kind == "refused" && language.code == "en" ? detail : language.text("error.\(kind)-text")
        return context.page(
            "error", head,
            [
                "digits": .list(
                    String(status).enumerated().map { index, digit in
                        ["sign": .text(String(digit)), "is-loose": .flag(index == 1)]
                    }), "heading": .text(heading), "detail": .text(text),
                "here": .markup(
                    language.markup(
                        "error.here",
                        [
                            "boards": link(context.href(PagePath.home), language.text("error.boards")),
                            "charities": link(context.href(PagePath.charities), language.text("error.charities")),
                        ])), "problem": .text(problem), "request": .text(ifAny: request),
            ])
    }

    private func link(_ href: Markup, _ text: String) -> Markup {
        Markup(html: "<a href=\"") + href + Markup(html: "\">") + Markup(text) + Markup(html: "</a>")
    }
}
