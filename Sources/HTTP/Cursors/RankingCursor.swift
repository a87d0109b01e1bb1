import Domain

/// The edge of a page of a ranking. A cursor holds for one board and window and fixes the window's days, so a client
/// that pages across midnight stays in the same day.
struct RankingCursor: Equatable {
    /// Nil for the ranking of charities.
    var board: Board.ID?
    var window: String
    /// Nil for all time.
    var days: ClosedRange<Day>?
    var sortKey: SortKey

    private static let version: UInt8 = 1

    var bytes: [UInt8] {
        var bytes = [Self.version]
        bytes.append(bigEndian: board?.rawValue ?? 0)
        bytes.append(short: window)
        bytes.append(bigEndian: UInt8(days == nil ? 0 : 1))
        bytes.append(bigEndian: days?.lowerBound.daysSince1970 ?? 0)
        bytes.append(bigEndian: days?.upperBound.daysSince1970 ?? 0)
        bytes.append(bigEndian: sortKey.orderKey)
        bytes.append(bigEndian: sortKey.reachedAt.microsecondsSince1970)
        bytes.append(bigEndian: sortKey.row)
        return bytes
    }

    init(board: Board.ID?, window: String, days: ClosedRange<Day>?, sortKey: SortKey) {
        self.board = board
        self.window = window
        self.days = days
        self.sortKey = sortKey
    }

    init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.integer() == Self.version, let board = reader.integer(Int32.self), let window = reader.text(),
            let hasDays = reader.integer(UInt8.self), let first = reader.integer(Int32.self),
            let last = reader.integer(Int32.self), first <= last, let orderKey = reader.integer(Int128.self),
            let reachedAt = reader.integer(Int64.self), let row = reader.integer(Int64.self), reader.isAtEnd
        else { return nil }
        self.board = board == 0 ? nil : Board.ID(rawValue: board)
        self.window = window
        self.days = hasDays == 0 ? nil : Day(daysSince1970: first)...Day(daysSince1970: last)
        self.sortKey = SortKey(orderKey: orderKey, reachedAt: Instant(microsecondsSince1970: reachedAt), row: row)
    }
}
