import Domain

/// The language of a page, and the address that it is served at.
package struct PageContext: Sendable {
    package let language: Language
    /// Whether the request's query named the language; links then name it, too.
    package let isLanguageChosen: Bool
    /// The URL that the operator set with `--public-url`, without a slash at its end; nil when it is not known.
    package let publicURL: String?
    /// Whether the navigation links to campaigns.
    package let hasCampaigns: Bool

    package init(language: Language, isLanguageChosen: Bool, publicURL: String?, hasCampaigns: Bool = false) {
        self.language = language
        self.isLanguageChosen = isLanguageChosen
        self.publicURL = publicURL
        self.hasCampaigns = hasCampaigns
    }

    /// The address of a page of this site, which keeps the language that was chosen.
    /// - Parameters:
    ///   - query: Names and values that need no escaping.
    ///   - fragment: The id of an element.
    func href(
        _ path: String, _ query: [(name: String, value: String)] = [], fragment: String? = nil,
        in language: Language? = nil
    ) -> Markup {
        var query = query
        if let language {
            query.append(("lang", language.code))
        } else if isLanguageChosen {
            query.append(("lang", self.language.code))
        }
        let parameters = query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return Markup(path + (parameters.isEmpty ? "" : "?" + parameters) + (fragment.map { "#" + $0 } ?? ""))
    }

    /// The address of a drawn picture in the page's language; pictures are in English unless told otherwise.
    func picture(_ path: String) -> String {
        language.code == Language.english.code ? path : path + "?lang=" + language.code
    }

    /// The address as other sites use it; a path while the public URL is not known.
    func absolute(_ path: String) -> String { (publicURL ?? "") + path }
}

/// The entry of the navigation that a page belongs to.
enum PageSection { case boards, charities, campaigns, play, none }

/// What the head of a page says, and where the page stands.
struct PageHead {
    var title: String
    var description: String?
    /// The path and the query of this page without its language, for the links to other languages.
    var path: String
    var query: [(name: String, value: String)] = []
    var section = PageSection.none
    /// The path of the picture that unfurls in chats.
    var card: String?
    var isProfile = false
    var isIndexed = true
    /// Whether the address may be told to others.
    var isCanonical = true
    /// The feed that the page shows, without suffix, and its query.
    var feed: (path: String, query: [(name: String, value: String)])?
}

extension PageContext {
    /// Renders a page.
    /// - Parameters:
    ///   - template: The template of its content.
    ///   - scope: What the content shows.
    func page(_ template: String, _ head: PageHead, _ scope: Scope) -> [UInt8] {
        PageTemplates.render(template, frame(head).merging(scope) { _, own in own })
    }

    private func frame(_ head: PageHead) -> Scope {
        [
            "t": language.scope, "lang": .text(language.code), "dir": .text(language.text("direction")),
            "locale": .text(language.locale), "lang-query": .text(isLanguageChosen ? "?lang=\(language.code)" : ""),
            "anonymous-picture": .text(PageAsset.named("anonymous.svg").path), "is-overlay": false,
            "title": .text(head.title), "description": .text(ifAny: head.description),
            "canonical": head.isCanonical
                ? publicURL.map { .markup(href($0 + head.path, head.query)) } ?? false : false,
            "noindex": .flag(!head.isIndexed), "card": .text(ifAny: head.card.map { absolute(picture($0)) }),
            "ogtype": .text(head.isProfile ? "profile" : "website"), "style": .text(PageAsset.named("style.css").path),
            "script": .text(PageAsset.named("page.js").path), "favicon": .text(PageAsset.named("favicon.svg").path),
            "wordmark": .text(PageAsset.named("wordmark-chalk.svg").path), "home": .markup(href(PagePath.home)),
            "charities": .markup(href(PagePath.charities)), "privacy": .markup(href(PagePath.privacy)),
            "books": .markup(href(PagePath.books)), "is-boards": .flag(head.section == .boards),
            "is-charities": .flag(head.section == .charities), "is-play": .flag(head.section == .play),
            "play": .markup(href(PagePath.play)), "campaigns": .markup(href(PagePath.campaigns)),
            "has-campaigns": .flag(hasCampaigns || head.section == .campaigns),
            "is-campaigns": .flag(head.section == .campaigns),
            "languages": .list(
                Language.all.map { other in
                    [
                        "code": .text(other.code), "language": .text(other.name),
                        "href": .markup(href(head.path, head.query, in: other)),
                        "is-current": .flag(other.code == language.code),
                    ]
                }), "formats": .list(head.feed.map(formats) ?? []),
        ]
    }

    /// The other formats of a page's feed.
    private func formats(_ feed: (path: String, query: [(name: String, value: String)])) -> [Scope] {
        [
            ("xml", "XML", "application/xml"), ("json", "JSON", "application/json"),
            ("plist", "plist", "application/x-plist"), ("csv", "CSV", "text/csv"),
            ("atom", "Atom", "application/atom+xml"),
        ].map { suffix, label, type in
            let query = feed.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            return [
                "href": .text(feed.path + "." + suffix + (query.isEmpty ? "" : "?" + query)), "label": .text(label),
                "type": .text(type),
            ]
        }
    }
}
