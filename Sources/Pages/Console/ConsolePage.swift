import Domain

/// A page of the console: what stands in its band, and sections of blocks below. The console is in English, as the
/// sentences of the problems that it shows are.
package struct ConsolePage: Sendable {
    package var title: String
    /// Under the title, such as where the page stands.
    package var intro: String?
    package var path: [ConsoleLink] = []
    package var entry = ConsoleEntry.none
    package var sections: [ConsoleSection] = []
    /// Who is signed in; nil on the page that asks for it.
    package var viewer: ConsoleViewer?
    /// Seconds after which the browser asks for the page again; nil for never.
    package var refreshSeconds: Int?

    package init(_ title: String, _ entry: ConsoleEntry = .none, for viewer: ConsoleViewer?) {
        self.title = title
        self.entry = entry
        self.viewer = viewer
    }

    package mutating func add(_ heading: String? = nil, id: String? = nil, _ blocks: [ConsoleBlock]) {
        sections.append(ConsoleSection(heading: heading, id: id, blocks: blocks))
    }

    package func html() -> [UInt8] {
        let style = Language.english
        return PageTemplates.render(
            "console",
            [
                "title": .text(title), "intro": .text(ifAny: intro), "path": .list(path.map(\.scope)),
                "has-path": .flag(!path.isEmpty), "refresh": .text(ifAny: refreshSeconds.map { "\($0)" }),
                "style": .text(ConsolePath.asset("style.css")),
                "console-style": .text(ConsolePath.asset("console.css")),
                "favicon": .text(ConsolePath.asset("favicon.svg")),
                "wordmark": .text(ConsolePath.asset("wordmark-chalk.svg")), "home": .text(ConsolePath.overview),
                "viewer": .scope(ifAny: viewer?.scope(at: entry)), "sections": .list(sections.map { $0.scope(style) }),
            ])
    }
}

/// What a page shows under one heading.
package struct ConsoleSection: Sendable {
    let heading: String?
    let id: String?
    let blocks: [ConsoleBlock]

    func scope(_ style: Language) -> Scope {
        ["heading": .text(ifAny: heading), "id": .text(ifAny: id), "blocks": .list(blocks.map { $0.scope(style) })]
    }
}

/// A part of a page.
package indirect enum ConsoleBlock: Sendable {
    case text(String)
    /// What has happened, which a screen reader says at once; `isTrouble` for what has gone wrong.
    case notice(String, isTrouble: Bool)
    /// Text to be copied, such as a token that is shown once.
    case code(label: String, String)
    case facts([(label: String, value: ConsoleCell)])
    case picture(String, name: String)
    case links([ConsoleLink])
    case table(ConsoleTable)
    case form(ConsoleForm)
    case charts([ConsoleChart])

    fileprivate func scope(_ style: Language) -> Scope {
        switch self {
        case .text(let text): ["text": .text(text)]
        case .notice(let text, let isTrouble): ["notice": .text(text), "is-trouble": .flag(isTrouble)]
        case .code(let label, let text): ["code": .scope(["label": .text(label), "text": .text(text)])]
        case .facts(let facts):
            [
                "has-facts": true,
                "facts": .list(
                    facts.map { fact in ["label": .text(fact.label), "value": .markup(fact.value.markup(style))] }),
            ]
        case .picture(let address, let name): ["picture": .scope(["href": .text(address), "name": .text(name)])]
        case .links(let links): ["has-links": .flag(!links.isEmpty), "links": .list(links.map(\.scope))]
        case .table(let table): ["table": .scope(table.scope(style))]
        case .form(let form): ["form": .scope(form.scope)]
        case .charts(let charts): ["has-charts": true, "charts": .list(charts.map { $0.scope(style) })]
        }
    }
}

/// A link, which may look like a button.
package struct ConsoleLink: Sendable {
    package enum Look: Sendable { case plain, button, stop }

    let text: String
    let address: String
    let look: Look
    /// What the link is about, for those who hear the link alone.
    let about: String?

    package init(_ text: String, _ address: String, _ look: Look = .plain, about: String? = nil) {
        (self.text, self.address, self.look, self.about) = (text, address, look, about)
    }

    var scope: Scope {
        [
            "href": .text(address), "label": .text(text), "about": .text(ifAny: about),
            "classes": .text(ifAny: look == .plain ? nil : look == .button ? "btn" : "btn stop"),
        ]
    }
}
