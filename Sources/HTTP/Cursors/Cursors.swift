import Credentials
import Domain
import FoundationEssentials

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

/// The edge of a page of a player's own history.
struct HistoryCursor: Equatable {
    /// Which of the player's histories.
    enum Ledger: UInt8 {
        case scores = 1
        case donations = 2
        case challenges = 3
    }

    var ledger: Ledger
    var historyKey: HistoryKey

    private static let version: UInt8 = 2

    var bytes: [UInt8] {
        var bytes = [Self.version, ledger.rawValue]
        bytes.append(bigEndian: historyKey.reachedAt.microsecondsSince1970)
        bytes.append(short: historyKey.id.uuidString)
        return bytes
    }

    init(ledger: Ledger, historyKey: HistoryKey) {
        self.ledger = ledger
        self.historyKey = historyKey
    }

    init?(bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.integer() == Self.version, let ledger = reader.integer(UInt8.self).flatMap(Ledger.init),
            let reachedAt = reader.integer(Int64.self), let id = reader.text().flatMap(UUID.init), reader.isAtEnd
        else { return nil }
        self.ledger = ledger
        self.historyKey = HistoryKey(reachedAt: Instant(microsecondsSince1970: reachedAt), id: id)
    }
}

extension Secret {
    /// Seals a cursor for a URL, so that clients can neither read nor forge it.
    func cursor(_ bytes: [UInt8]) -> String? { sealed(bytes, for: .cursor) }

    /// Opens a sealed cursor.
    /// - Throws: 400 for a text that this server's secret has not sealed.
    func cursorBytes(_ text: String, field: String) throws(Problem) -> [UInt8] {
        guard let bytes = opened(text, for: .cursor) else { throw Problem.badCursor(field) }
        return bytes
    }
}

/// Reads big-endian integers and short texts from bytes; every read beyond the end is nil.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func integer<Integer: FixedWidthInteger>(_: Integer.Type = Integer.self) -> Integer? {
        let width = Integer.bitWidth / 8
        guard rest.count >= width else { return nil }
        let value = rest.prefix(width).reduce(Integer.zero) { $0 << 8 | Integer(truncatingIfNeeded: $1) }
        rest = rest.dropFirst(width)
        return value
    }

    /// A text that follows its length in one byte.
    mutating func text() -> String? {
        guard let count = integer(UInt8.self).map(Int.init), rest.count >= count else { return nil }
        let text = String(validating: rest.prefix(count), as: UTF8.self)
        rest = rest.dropFirst(count)
        return text
    }
}

extension [UInt8] {
    /// Appends an integer, most significant byte first.
    mutating func append(bigEndian value: some FixedWidthInteger) {
        for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Appends a text's length in one byte and then the text, which is cut after 255 bytes.
    mutating func append(short text: String) {
        let bytes = text.utf8.prefix(255)
        append(UInt8(clamping: bytes.count))
        append(contentsOf: bytes)
    }
}
