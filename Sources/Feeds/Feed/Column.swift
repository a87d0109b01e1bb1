/// One column of a feed.
package struct Column: Sendable {
    /// What the values are; decides alignment in HTML and what an absent value looks like.
    package enum Kind: Sendable {
        case integer, text, instant, boolean, picture, link
        /// A ``Value/tenths(_:)`` of a hundred: a bar in HTML.
        case percent
    }

    /// What a column is *for*, for formats that do more than list it. At most one column has each role, `plain` aside.
    package enum Role: Sendable {
        case plain
        /// Names the row for good, so that an Atom reader knows it again; not shown in HTML.
        case key
        /// The position, 1 is best.
        case rank
        /// What a person calls the row: the row's header in HTML, the entry's title in Atom.
        case title
        /// What ranks.
        case points
        /// When the row became what it is: an Atom entry's `updated`.
        case moment
    }

    /// Who gets to see a column.
    package enum Audience: Sendable {
        case everyone
        /// Everyone but XML and plist, whose 2009 readers expect exactly the columns they know.
        case modern
        /// Everyone but a web page, which has no room for it.
        case data
        /// JSON and CSV.
        case programs
        /// Nobody; the column is there for its role.
        case nobody

        func reads(_ format: FeedFormat) -> Bool {
            switch self {
            case .everyone: true
            case .modern: format != .xml && format != .plist
            case .data: format != .html
            case .programs: format == .json || format == .csv
            case .nobody: false
            }
        }
    }

    /// snake_case, as JSON, CSV and plist show it; XML shows it dashed. A literal, so that no data can become markup.
    package var name: StaticString
    package var kind: Kind
    package var role: Role
    package var audience: Audience

    package init(_ name: StaticString, _ kind: Kind, role: Role = .plain, for audience: Audience = .everyone) {
        self.name = name
        self.kind = kind
        self.role = role
        self.audience = audience
    }
}

/// What XML calls a list and one row of it: `("customers", "customer")`. Literals, so that no data can become markup.
package struct ElementNames: Sendable {
    package var list: StaticString
    package var row: StaticString

    package init(_ list: StaticString, _ row: StaticString) {
        self.list = list
        self.row = row
    }
}
