import Contract

/// Rows of a board, and how the player's own gets to its place among them, one row at a time.
struct Climb {
    /// The lines of the rows, first as they were and last as they are.
    let frames: [[String]]

    /// - Parameters:
    ///   - rows: The player's own and those around it, best first.
    ///   - former: The player's rank before; nil without one.
    init(_ rows: [RankedRow], player: Int64, former: Int?) {
        guard let place = rows.firstIndex(where: { $0.player == player }) else {
            frames = rows.isEmpty ? [] : [rows.map { Self.line($0, rank: $0.rank, isMine: false) }]
            return
        }
        let start = former.flatMap { former in rows.firstIndex { $0.rank >= former } } ?? rows.count - 1
        let steps = stride(from: start, through: place, by: start < place ? 1 : -1)
        frames = steps.map { step in
            var order = rows
            order.insert(order.remove(at: place), at: step)
            return zip(order, rows).map { row, there in Self.line(row, rank: there.rank, isMine: row.player == player) }
        }
    }

    /// Rows that stand still, each with its place among the players shown, where it has one.
    static func lines(_ rows: [RankedRow], player: Int64) -> [String] {
        rows.map { line($0, rank: $0.among ?? $0.rank, isMine: $0.player == player) }
    }

    /// The name is last, because nobody knows how wide it is.
    private static func line(_ row: RankedRow, rank: Int, isMine: Bool) -> String {
        "\(isMine ? "▶" : " ") \(padded("\(rank)", 5))  \(padded("\(row.points)", 9))  \(row.name)"
    }

    private static func padded(_ text: String, _ columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - text.count)) + text
    }
}
