package import Domain
package import Drawings

/// How an embed looks, as its address says.
package struct EmbedStyle: Sendable, Hashable {
    /// The colour of the text, of the background and of what is donated; nil for that of the design.
    package var ink: HexColor?
    package var paper: HexColor?
    package var accent: HexColor?
    package var size = SignSize.medium
    /// Whether the background is transparent, for streaming software.
    package var isOverlay = false

    package init() {}

    /// The classes of the page's body.
    var classes: String { (isOverlay ? "overlay" : "embed") + " size-" + size.rawValue }

    /// The path of a style sheet with the colours; nil when the design's are used. A policy without inline styles
    /// leaves no other way.
    var coloursPath: String? {
        let parts = [("ink", ink), ("paper", paper), ("accent", accent)].compactMap { name, colour in
            colour.map { "\(name)=\($0)" }
        }
        return parts.isEmpty ? nil : "/embed/colours.css?" + parts.joined(separator: "&")
    }

    /// The style sheet of ``coloursPath``.
    package var colours: [UInt8] {
        var css = ""
        if let ink { css += "--ink:#\(ink);--chalk:#\(ink);--link:#\(ink);--soft:#\(ink);" }
        if let paper { css += "--background:#\(paper);--board:#\(paper);--field:#\(paper);" }
        if let accent { css += "--give:#\(accent);" }
        return Array(":root,.band{\(css)}\n".utf8)
    }
}

/// A ranking on another site's page, or over a stream.
package struct RankingEmbed: Sendable, Equatable {
    private let ranked: Ranked
    private let over: String?
    private let ranking: Ranking
    private let style: EmbedStyle
    private let limitRows: Int
    /// The number of the season, on a board that has several.
    package var season: Int32?
    /// How many of all rows are anonymous donations.
    package var anonymous: Int64 = 0
    /// Whether the board takes no scores now.
    package var isShut = false

    /// - Parameters:
    ///   - over: The name of the game or the charity.
    ///   - limitRows: 1...25.
    package init(_ ranked: Ranked, over: String?, _ ranking: Ranking, style: EmbedStyle, limitRows: Int) {
        self.ranked = ranked
        self.over = over
        self.ranking = ranking
        self.style = style
        self.limitRows = limitRows
    }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        let name = BoardPage.name(of: ranked, ranking.board, in: language)
        let window = WindowName(ranking.window, language, season: season).text
        let query: [(name: String, value: String)] = ranking.window == .all ? [] : [("window", ranking.window.name)]
        let live = query.map { "\($0.name)=\($0.value)&" }.joined() + "limit=\(limitRows)"
        let rows = RankingRows(context, of: ranking.board, isOutside: true)
        let head = PageHead(
            title: language.text("board.title", ["board": name, "window": window, "parent": over ?? "Causeboard"]),
            path: PagePath.embed(ranked))
        let size = ranking.size ?? 0
        var scope = rows.scope(ranking.rows, ranking.ranks, leader: nil)
        scope.merge([
            "classes": .text(style.classes), "colours": .text(ifAny: style.coloursPath),
            "is-overlay": .flag(style.isOverlay),
            "over": .text([over, window].compactMap(\.self).joined(separator: language.text("list.comma"))),
            "heading": .text(name), "caption": .text(language.text("board.leaders", ["board": name])),
            "empty": .text(language.text(isShut ? "board.empty-title" : "board.empty-text")),
            "live": ranking.isFinal ? false : .text(PagePath.live(ranked) + "?" + live),
            "form": .text(ranking.board.display.form.rawValue), "unit": .text(ranking.board.display.unit ?? ""),
            "limit": .text("\(limitRows)"), "page": .markup(context.href(ranked.path, query)), "of": .text("\(size)"),
            "all": .text(
                ranked == .contributors
                    ? language.donors(size - anonymous, anonymous: anonymous)
                    : language.text("players.all", count: Int128(size))),
        ]) { $1 }
        return context.page("embed", head, scope)
    }
}

/// A charity's total on another site's page, or over a stream.
package struct CharityEmbed: Sendable, Equatable {
    private let charity: Charity
    private let style: EmbedStyle

    package init(_ charity: Charity, style: EmbedStyle) {
        self.charity = charity
        self.style = style
    }

    package func html(in context: PageContext) -> [UInt8] {
        let head = PageHead(title: charity.name, path: PagePath.charityEmbed(charity.slug))
        var scope = TotalPlates(charity).scope(context)
        scope.merge([
            "classes": .text(style.classes), "colours": .text(ifAny: style.coloursPath),
            "is-overlay": .flag(style.isOverlay), "name": .text(charity.name),
            "page": .markup(context.href(PagePath.charity(charity.slug))),
        ]) { $1 }
        return context.page("embed-charity", head, scope)
    }
}
