package import Domain

extension Feed {
    /// The feed of the books at the end of a day: the sums in all, what each charity had received, what had been earned
    /// in each game, and the log's last entry. Its bytes depend on nothing that changes later, so names are slugs.
    /// - Parameter path: The path of the feed without suffix.
    package static func books(_ books: DayBooks, path: String) -> Feed {
        let totals: [(String, Int128)] = [
            ("earned", books.earned), ("voided", books.voided), ("held", books.held), ("left", books.left),
            ("funded", books.funded), ("given", books.donated), ("unfunded", books.unfunded),
        ]
        let end = books.day.advanced(byDays: 1).startInUTC
        func row(_ kind: String, _ name: String, _ points: Int128) -> [Value] {
            [
                .text("\(kind)/\(name)"), .text(books.day.text), .text(kind), .text(name), .integer(points), .none,
                .none, .instant(end),
            ]
        }
        let log: [Value] = [
            .text("log/last"), .text(books.day.text), .text("log"), .text("last"), .none,
            .integer(Int128(books.logNumber)), .text(Hex.text(books.logHash)), .instant(end),
        ]
        return Feed(
            title: "Books at the end of \(books.day.text)", path: path, query: "day=\(books.day.text)",
            names: ElementNames("books", "book"), head: Head(day: books.day.text, until: end, zone: "UTC", final: true),
            columns: [
                Column("key", .text, role: .key, for: .nobody), Column("day", .text, for: .documents),
                Column("kind", .text), Column("name", .text, role: .title), Column("points", .integer, role: .points),
                Column("entry", .integer), Column("hash", .text),
                Column("closed", .instant, role: .moment, for: .nobody),
            ],
            rows: totals.map { row("total", $0, $1) } + books.charities.map { row("charity", $0.slug, $0.points) }
                + books.games.map { row("game", $0.slug, $0.points) } + [log])
    }
}
