/// A page of one board in one window, as every format shows it.
package struct Ranking: Sendable, Equatable {
    /// The players that a partial ranking covers.
    package struct Among: Sendable, Equatable {
        package enum Players: Sendable, Equatable {
            /// Players requested by id.
            case chosen
            /// A player and its friends.
            case friends
            /// The members of a team.
            case team
            /// The players of a campaign's cohort.
            case cohort
            /// Those who show a flag of the country, or that of the region.
            case country(CountryFlag)

            /// What feeds call them; nil for those whom the query names.
            package var name: String? {
                switch self {
                case .chosen: nil
                case .friends: "friends"
                case .team: "team"
                case .cohort: "cohort"
                case .country(let flag): flag.description
                }
            }
        }

        package let players: Players
        /// The rank of each row among them, from 1; equal points share it if the board shares ranks.
        package let places: [Int64]

        package init(players: Players, places: [Int64]) { (self.players, self.places) = (players, places) }
    }

    package let board: Board
    package let window: Window
    /// The days of the window when it was read; nil for all time.
    package let days: ClosedRange<Day>?
    /// The instants between which the window lies; nil for all time.
    package let span: Range<Instant>?
    /// Whether nothing can change any more.
    package let isFinal: Bool
    /// Number of all ranked rows, or of those of the players that it covers; nil when it was not requested.
    package let size: Int64?
    /// Best first, in the one total order.
    package let rows: [Standing]
    /// One rank for each row.
    package let ranks: [Rank]
    /// The players of a partial ranking, and the rank of each row among them; nil if all players are ranked.
    package let among: Among?
    /// Whether rows follow these.
    package let hasNext: Bool
    /// Whether rows precede these.
    package let hasPrevious: Bool
    /// Whether the detail of some row is not known yet, so that nobody may keep this.
    package let awaitsDetails: Bool

    package init(
        board: Board, window: Window, days: ClosedRange<Day>?, span: Range<Instant>?, isFinal: Bool, size: Int64?,
        rows: [Standing], ranks: [Rank], among: Among? = nil, hasNext: Bool, hasPrevious: Bool,
        awaitsDetails: Bool = false
    ) {
        self.board = board
        self.window = window
        self.days = days
        self.span = span
        self.isFinal = isFinal
        self.size = size
        self.rows = rows
        self.ranks = ranks
        self.among = among
        self.hasNext = hasNext
        self.hasPrevious = hasPrevious
        self.awaitsDetails = awaitsDetails
    }
}

/// Consecutive rows of a board, best first, as they are read for a ``PageRequest``. They include rows beyond those that
/// are shown, on either side.
package struct Page: Sendable {
    package var rows: [Standing]
    /// The position of the first row, from 1, in the one total order; nil without rows.
    package var position: Int64?
    /// The position at which the rows with the first row's points begin: less than `position` if the row before has the
    /// same points.
    package var sharedPosition: Int64?
    /// Number of all ranked rows; nil when that would take a separate count.
    package var size: Int64?

    package init(rows: [Standing], position: Int64?, sharedPosition: Int64?, size: Int64?) {
        self.rows = rows
        self.position = position
        self.sharedPosition = sharedPosition
        self.size = size
    }
}

/// Which rows of a ranking a caller asks for.
package enum PageRequest: Sendable, Equatable {
    /// Rows from this position on, counted from 1.
    case from(Int64)
    /// Rows after this sort key. It need not belong to a row that still exists, so pages neither skip nor repeat a row
    /// while posts arrive.
    case after(SortKey)
    /// The nearest rows before this sort key.
    case before(SortKey)

    package static let top = PageRequest.from(1)
}

/// A page of the charity board.
package struct CharityRanking: Sendable, Equatable {
    /// Best first, in the one total order.
    package let rows: [Charity]
    /// One rank for each row.
    package let ranks: [Rank]
    /// Number of all charities.
    package let size: Int
    package let hasNext: Bool
    package let hasPrevious: Bool

    /// - Parameters:
    ///   - all: Every charity, best first.
    ///   - limitRows: Rows on the page at most.
    package init(all: [Charity], pageRequest: PageRequest, limitRows: Int) {
        let first: Int
        var end = all.count
        switch pageRequest {
        case .from(let position): first = Int(clamping: min(max(position, 1) - 1, Int64(all.count)))
        case .after(let sortKey): first = all.firstIndex { sortKey.precedes($0.sortKey) } ?? all.count
        case .before(let sortKey):
            end = all.firstIndex { !$0.sortKey.precedes(sortKey) } ?? all.count
            first = end - min(end, limitRows)
        }
        end = first + min(end - first, limitRows)
        rows = Array(all[first..<end])
        ranks = Array(Ranks.consecutive(all.map(\.points), limitRows: end, ties: .first)[first...])
        size = all.count
        hasNext = end < all.count && !rows.isEmpty
        hasPrevious = first > 0 && !rows.isEmpty
    }
}
