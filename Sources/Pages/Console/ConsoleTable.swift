package import Domain

/// A value in a table or among facts of the console.
package indirect enum ConsoleCell: Sendable {
    /// Text that somebody else wrote, in any direction.
    case text(String)
    case number(Int128)
    /// The time in UTC, to the second.
    case instant(Instant)
    /// A word for a state.
    case tag(String)
    /// An id or a hash.
    case code(String)
    case link(ConsoleLink)
    case links([ConsoleLink])
    /// A cell with another one below it.
    case both(ConsoleCell, ConsoleCell)
    case none

    func markup(_ style: Language) -> Markup {
        switch self {
        case .text(let text): Markup(html: "<bdi>") + Markup(text) + Markup(html: "</bdi>")
        case .number(let number): Markup(style.numbers.text(number))
        case .instant(let instant): Markup(html: "<time>") + Markup(Self.text(of: instant)) + Markup(html: "</time>")
        case .tag(let word): Markup(html: "<span class=\"tag\">") + Markup(word) + Markup(html: "</span>")
        case .code(let code): Markup(html: "<code>") + Markup(code) + Markup(html: "</code>")
        case .link(let link): Self.markup(of: link)
        case .links(let links):
            Markup(html: "<span class=\"row\">") + links.map(Self.markup).reduce(.empty) { $0 + $1 + Markup(html: " ") }
                + Markup(html: "</span>")
        case .both(let first, let second):
            first.markup(style) + Markup(html: "<span class=\"small soft below\">") + second.markup(style)
                + Markup(html: "</span>")
        case .none: .empty
        }
    }

    /// `2026-11-21 20:14:07`, which sorts and can be searched for.
    static func text(of instant: Instant) -> String {
        let text = instant.rfc3339(.microseconds)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8)
    }

    private static func markup(of link: ConsoleLink) -> Markup {
        let classes = link.look == .plain ? "" : link.look == .button ? " class=\"btn\"" : " class=\"btn stop\""
        return Markup(html: "<a\(classes) href=\"") + Markup(link.address) + Markup(html: "\"><bdi>")
            + Markup(link.text) + Markup(html: "</bdi>")
            + (link.about.map { Markup(html: "<span class=\"vh\"> ") + Markup($0) + Markup(html: "</span>") } ?? .empty)
            + Markup(html: "</a>")
    }
}

/// A table of the console. On a phone each row is a list of its cells, under the names of their columns.
package struct ConsoleTable: Sendable {
    package struct Column: Sendable {
        let title: String
        let isNumber: Bool

        package init(_ title: String, isNumber: Bool = false) { (self.title, self.isNumber) = (title, isNumber) }
    }

    package var caption: String
    package var columns: [Column]
    package var rows: [[ConsoleCell]]
    /// What is said where there are no rows.
    package var empty: String
    /// Where the same rows are as CSV, and where the next ones are.
    package var csv: String?
    package var next: String?

    package init(_ caption: String, _ columns: [Column], _ rows: [[ConsoleCell]], empty: String) {
        (self.caption, self.columns, self.rows, self.empty) = (caption, columns, rows, empty)
    }

    func scope(_ style: Language) -> Scope {
        [
            "caption": .text(caption), "empty": .text(empty), "has-rows": .flag(!rows.isEmpty),
            "csv": .text(ifAny: csv), "next": .text(ifAny: next),
            "columns": .list(columns.map { ["title": .text($0.title), "is-number": .flag($0.isNumber)] }),
            "rows": .list(
                rows.map { row in
                    [
                        "cells": .list(
                            zip(columns, row).enumerated().map { index, pair in
                                let (column, cell) = pair
                                let markup = cell.markup(style)
                                return [
                                    "title": .text(column.title), "value": .markup(markup),
                                    "is-number": .flag(column.isNumber), "is-head": .flag(index == 0),
                                    "is-empty": .flag(markup == .empty),
                                ]
                            })
                    ]
                }),
        ]
    }
}
