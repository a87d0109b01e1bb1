/// The field as lines of text. A hook shows its key; a plate shows what it is worth, and an arrow before it drops.
enum Drawing {
    private static let cellColumns = 8
    private static let gap = "  "
    /// The smallest terminal that shows the field whole.
    static let columnsMin = PlateGame.columns * (cellColumns + 2) + (PlateGame.columns - 1) * gap.count
    static let rowsMin = PlateGame.rows * 3 + 4

    /// - Returns: Lines without an end, none wider than ``columnsMin``.
    static func lines(_ game: PlateGame, cursor: Cursor) -> [String] {
        let seconds = game.timeLeft.components.seconds + (game.timeLeft.components.attoseconds > 0 ? 1 : 0)
        var lines = [bold("\(seconds) s left") + "   score " + bold("\(game.score)"), ""]
        for row in 0..<PlateGame.rows {
            let cells = (0..<PlateGame.columns).map { column in cell(row * PlateGame.columns + column, game, cursor) }
            for part in 0..<3 { lines.append(cells.map { $0[part] }.joined(separator: gap)) }
        }
        return lines + ["", "Keys on the plates, or arrows and space."]
    }

    private static func cell(_ index: Int, _ game: PlateGame, _ cursor: Cursor) -> [String] {
        let isHere = cursor.index == index
        let side = isHere ? "║" : "│"
        let edge = String(repeating: isHere ? "═" : "─", count: cellColumns)
        let (text, style) = contents(game.hooks[index], game.time)
        let padding = String(repeating: " ", count: max(0, cellColumns - 2 - text.count))
        let inside = "\(Key.hooks[index])\(padding)\(text) "
        return [
            isHere ? "╔\(edge)╗" : "╭\(edge)╮",
            side + (style.map { "\u{1B}[\($0)m\(inside)\u{1B}[0m" } ?? inside) + side,
            isHere ? "╚\(edge)╝" : "╰\(edge)╯",
        ]
    }

    /// What a hook shows, and its style by the numbers of ECMA-48.
    private static func contents(_ plate: PlateGame.Plate?, _ time: Duration) -> (String, style: String?) {
        guard let plate else { return ("", nil) }
        return switch plate.state {
        case .hangs: ("\(plate.worth)" + (plate.isLoose(at: time) ? "↓" : " "), "7")
        case .falls: ("↓", "2")
        case .shines: ("+\(plate.worth)", "1;32")
        }
    }

    private static func bold(_ text: String) -> String { "\u{1B}[1m\(text)\u{1B}[0m" }
}
