/// A card of 1200x630 pixels with the first five of a board. Its texts come in the language of the page.
package struct BoardCard: Sendable {
    package var name: String
    /// The line under the name, such as the game's name and the window.
    package var line: String
    /// The first rows, best first; five at most are shown.
    package var rows: [Row]
    /// What stands there when there are no rows.
    package var emptyText: String
    /// Where the page is, such as `play.example/games/maze/boards/lap`.
    package var address: String

    package struct Row: Sendable {
        package var rank: Int
        package var name: String
        package var portrait: Portrait
        /// Points such as `703,900`.
        package var points: String

        package init(rank: Int, name: String, portrait: Portrait, points: String) {
            self.rank = rank
            self.name = name
            self.portrait = portrait
            self.points = points
        }
    }

    package init(name: String, line: String, rows: [Row], emptyText: String, address: String) {
        self.name = name
        self.line = line
        self.rows = rows
        self.emptyText = emptyText
        self.address = address
    }

    /// - Returns: Nil when this machine has no fonts; see ``DrawingFonts``.
    package func png() -> [UInt8]? { Drawing.png { drawing($0) } }

    private func drawing(_ fitter: TextFitter) -> Drawing {
        var sheet = CardSheet(fitter, address: address)
        sheet.text(name, .sign(72), .sign(62), .sign(54), color: .chalk, baseline: line.isEmpty ? 124 : 106)
        sheet.text(line, .text(30), .text(26), color: .dim, baseline: 150)
        let top: Double = 180
        if rows.isEmpty {
            sheet.drawing.fill(.rectangle(Rectangle(CardSheet.left, top, CardSheet.innerWidth, 2)), .rule)
            sheet.text(emptyText, .text(40), .text(34), color: .dim, baseline: 340)
        }
        for (index, row) in rows.prefix(Self.rowsMax).enumerated() {
            draw(row, top: top + Double(index) * Self.rowHeight, on: &sheet, fitter)
        }
        sheet.drawing.fill(
            .rectangle(Rectangle(CardSheet.left, top + Double(Self.rowsMax) * Self.rowHeight, CardSheet.innerWidth, 2)),
            .rule)
        return sheet.drawing
    }

    private func draw(_ row: Row, top: Double, on sheet: inout CardSheet, _ fitter: TextFitter) {
        sheet.drawing.fill(.rectangle(Rectangle(CardSheet.left, top, CardSheet.innerWidth, 2)), .rule)
        let isLead = (1...3).contains(row.rank)
        let baseline = top + 50
        medal(row.rank, Rectangle(CardSheet.left, top + 10, 60, 54), on: &sheet)
        sheet.portrait(row.portrait, Rectangle(160, top + 15, 44, 44))
        // The points are never cut to make room for a name.
        let pointsStyle: TextStyle = isLead ? .sign(40) : .text(32)
        let pointsWidth = min(fitter.width(of: row.points, pointsStyle) + 2, 420)
        sheet.text(
            row.points, pointsStyle, .sign(32), .sign(26), color: .chalk, left: CardSheet.right - pointsWidth,
            width: pointsWidth, baseline: baseline, anchor: .end)
        sheet.text(
            row.name, isLead ? .sign(40) : .text(32), isLead ? .sign(34) : .text(28), color: .chalk, left: 228,
            width: CardSheet.right - pointsWidth - 32 - 228, baseline: baseline)
    }

    /// The rank on a plate of metal for the first three, otherwise the bare number.
    private func medal(_ rank: Int, _ box: Rectangle, on sheet: inout CardSheet) {
        let metal: HexColor? =
            switch rank {
            case 1: .gold
            case 2: HexColor(rgb: 0xc4cdd1)
            case 3: HexColor(rgb: 0xd1925f)
            default: nil
            }
        if let metal {
            sheet.drawing.fill(.rectangle(box, radius: 4), metal)
            for x in [box.x + 13, box.x + box.width - 13] {
                sheet.drawing.fill(.circle(x: x, y: box.y + 9, radius: 3.2), .board)
            }
        }
        sheet.text(
            String(rank), .sign(36), .sign(28), .sign(20), color: metal == nil ? .dim : .ink, left: box.x,
            width: box.width, baseline: box.y + (metal == nil ? 40 : 45), anchor: .middle)
    }

    private static let rowsMax = 5
    private static let rowHeight: Double = 74
}
