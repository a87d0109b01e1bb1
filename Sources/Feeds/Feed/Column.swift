/// One column of a feed.
package struct Column: Sendable {
    /// The kind of the values; it decides alignment in HTML and how an absent value is written.
    package enum Kind: Sendable {
        case integer, text, instant, boolean, picture, link
        /// A percentage as ``Value/tenths(_:)``; HTML adds a bar.
        case percent
    }

    /// The role of a column in formats that do more than list it. At most one column has each role except `plain`.
    package enum Role: Sendable {
        case plain
        /// Identifies the row permanently, so that an Atom reader recognizes it; not shown in HTML.
        case key
        /// Identifies a row that has no key, and is secret: no format shows it, and Atom shows a keyed hash of it.
        case entry
        /// The rank; 1 is best.
        case rank
        /// The row's name for people: the row header in HTML, the entry's title in Atom.
        case title
        /// The points by which rows are ranked.
        case points
        /// When the row took its present value: an Atom entry's `updated`.
        case moment
    }

    /// The formats that show a column.
    package enum Audience: Sendable {
        case everyone
        /// All formats except XML and plist, whose readers of 2009 expect exactly the columns they know.
        case modern
        /// All formats except HTML, where there is no room for it.
        case data
        /// All formats except JSON, which has it once for all rows, and HTML.
        case documents
        /// JSON and CSV only.
        case programs
        /// No format; the column exists for its role.
        case nobody

        func reads(_ format: FeedFormat) -> Bool {
            switch self {
            case .everyone: true
            case .modern: format != .xml && format != .plist
            case .data: format != .html
            case .documents: format != .json && format != .html
            case .programs: format == .json || format == .csv
            case .nobody: false
            }
        }
    }

    /// The name in snake_case, as JSON, CSV and plist show it; XML shows it dashed. It is a literal, so that no data
    /// can become markup.
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

/// The XML names of a list and of one of its rows: `("customers", "customer")`. They are literals, so that no data can
/// become markup.
package struct ElementNames: Sendable {
    package var list: StaticString
    package var row: StaticString

    package init(_ list: StaticString, _ row: StaticString) {
        self.list = list
        self.row = row
    }
}
