import Domain

/// The code that puts a ranking or a charity on another site, to be copied.
struct EmbedCode {
    private let context: PageContext

    init(_ context: PageContext) { self.context = context }

    func ranking(_ ranked: Ranked, _ name: String, _ query: [(name: String, value: String)]) -> [Scope] {
        let text = (query + [("limit", "10")]).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let (embed, overlay) = (PagePath.embed(ranked), PagePath.overlay(ranked))
        return [
            frame(embed + "?" + text, title: name, width: 320, height: 560, overlay: overlay + "?" + text),
            script(embed + "?" + text),
        ]
    }

    func charity(_ charity: String, _ name: String) -> [Scope] {
        let path = PagePath.charityEmbed(charity)
        return [
            frame(path, title: name, width: 320, height: 240, overlay: "/overlay/charities/\(charity)"),
            image(path + ".svg", alt: name), script(path),
        ]
    }

    /// - Parameter hasTotal: Whether it counts donations, so that a picture can show the total.
    func campaign(_ campaign: Slug, _ name: String, hasTotal: Bool) -> [Scope] {
        let (path, overlay) = (PagePath.campaignEmbed(campaign), PagePath.campaignOverlay(campaign))
        let frame = frame(path, title: name, width: 320, height: hasTotal ? 300 : 560, overlay: overlay)
        return hasTotal ? [frame, image(path + ".svg", alt: name), script(path)] : [frame, script(path)]
    }

    private func frame(_ path: String, title: String, width: Int, height: Int, overlay: String) -> Scope {
        // The title is escaped here for the frame, and once more for this page.
        let code = """
            <iframe src="\(Markup(context.absolute(path)).html)"
              width="\(width)" height="\(height)" title="\(Markup(title).html)" loading="lazy"></iframe>
            """
        return [
            "label": .text(context.language.text("embed.frame")), "code": .text(code),
            "links": .list([
                Scope(href: Markup(path), label: "\(width) × \(height)", isCurrent: false),
                Scope(href: Markup(overlay), label: context.language.text("embed.overlay"), isCurrent: false),
            ]),
        ]
    }

    private func image(_ path: String, alt: String) -> Scope {
        let code = "<img src=\"\(Markup(context.absolute(path)).html)\" alt=\"\(Markup(alt).html)\">"
        let png = path.replacing(".svg", with: ".png")
        return [
            "label": .text(context.language.text("embed.image")), "code": .text(code),
            "links": .list([
                Scope(href: Markup(path), label: "SVG", isCurrent: false),
                Scope(href: Markup(png), label: "PNG", isCurrent: false),
                Scope(
                    href: Markup(path + "?shape=badge"), label: context.language.text("embed.badge"), isCurrent: false),
            ]),
        ]
    }

    private func script(_ path: String) -> Scope {
        let source = Markup(context.absolute("/embed.js")).html
        let code = "<script src=\"\(source)\" data-embed=\"\(Markup(path).html)\" async></script>"
        return ["label": .text(context.language.text("embed.script")), "code": .text(code), "links": .list([])]
    }
}
