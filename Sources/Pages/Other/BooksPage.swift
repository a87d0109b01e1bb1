package import Domain

/// What had been earned and donated by the end of a day, as sums that add up.
package struct BooksPage: Sendable, Equatable {
    private let books: DayBooks?
    private let span: ClosedRange<Day>?
    private let isNewest: Bool

    /// - Parameters:
    ///   - books: Nil when no day is closed yet.
    ///   - span: The first and the last closed day.
    ///   - isNewest: Whether the page is asked for without a day.
    package init(_ books: DayBooks?, in span: ClosedRange<Day>?, isNewest: Bool) {
        self.books = books
        self.span = span
        self.isNewest = isNewest
    }

    package func html(in context: PageContext) -> [UInt8] {
        let language = context.language
        guard let books else {
            let head = PageHead(
                title: "\(language.text("books.title")) – Causeboard", description: language.text("books.description"),
                path: PagePath.books)
            return context.page("books", head, ["heading": .text(language.text("books.title")), "has-books": false])
        }
        let day = ["day": language.dates.long(books.day)]
        var head = PageHead(
            title: language.text("books.head", day), description: language.text("books.description"),
            path: PagePath.books, query: isNewest ? [] : [("day", books.day.text)])
        head.feed = (PagePath.books, [("day", books.day.text)])
        return context.page(
            "books", head,
            [
                "heading": .text(language.text("books.heading", day)), "has-books": true,
                "earlier": link(to: books.day.advanced(byDays: -1), "earlier", context),
                "later": link(to: books.day.advanced(byDays: 1), "later", context),
                "tables": .list(tables(books, context)),
                "log": books.logNumber == 0
                    ? false
                    : .scope([
                        "text": .text(language.text("books.log-text", ["n": language.numbers.text(books.logNumber)])),
                        "hash": .text(Hex.text(books.logHash)),
                    ]),
            ])
    }

    private func link(to day: Day, _ key: String, _ context: PageContext) -> Fill {
        guard let span, span.contains(day) else { return false }
        let label = context.language.text("books.\(key)", ["day": context.language.dates.long(day)])
        return .scope(["href": .markup(context.href(PagePath.books, [("day", day.text)])), "label": .text(label)])
    }

    /// The identities, and their largest parts by charity and by game. The rows of each table add up to its last one.
    private func tables(_ books: DayBooks, _ context: PageContext) -> [Scope] {
        let language = context.language
        func part(_ key: String, _ points: Int128) -> Row { Row(name: language.text("books.\(key)"), points: points) }
        return [
            table(
                "earned", column: language.text("books.earned-title"),
                [
                    part("voided", books.voided), part("held", books.held), part("left", books.left),
                    part("funded", books.funded),
                ], sum: part("earned", books.earned), language),
            table(
                "donated", column: language.text("books.donated-title"),
                [part("funded", books.funded), part("unfunded", books.unfunded)], sum: part("donated", books.donated),
                language),
            table(
                "charities", column: language.text("col.charity"),
                books.charities.map {
                    Row(name: $0.name, points: $0.points, href: context.href(PagePath.charity($0.slug)))
                }, sum: part("funded", books.funded), language),
            table(
                "games", column: language.text("col.game"),
                books.games.map { Row(name: $0.name, points: $0.points, href: context.href(PagePath.game($0.slug))) },
                sum: part("earned", books.earned), language),
        ]
    }

    private struct Row {
        let name: String
        let points: Int128
        var href: Markup?
    }

    private func table(_ key: String, column: String, _ rows: [Row], sum: Row, _ language: Language) -> Scope {
        [
            "id": .text(key), "title": .text(language.text("books.\(key)-title")),
            "caption": .text(language.text("books.\(key)-caption")), "column": .text(column),
            "has-rows": .flag(!rows.isEmpty),
            "rows": .list(
                rows.enumerated().map { index, row in
                    [
                        "sign": index > 0 ? .text("+") : false, "name": .text(row.name),
                        "points": .text(language.numbers.text(row.points)),
                        "href": row.href.map { .markup($0) } ?? false,
                    ]
                }), "sum-name": .text(sum.name), "sum": .text(language.numbers.text(sum.points)),
        ]
    }
}
