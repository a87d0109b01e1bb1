/// A card of 1200x630 pixels that says what a charity was given. Its texts come in the language of the page.
package struct CharityCard: Sendable {
    package var name: String
    /// The number on the plates, such as `339,176`.
    package var total: String
    /// What the number is, such as `points given by 29 players`.
    package var caption: String
    package var goal: Goal?
    /// Where the page is, such as `play.example/charities/night-kitchen`.
    package var address: String

    package struct Goal: Sendable {
        package var points: Int128
        package var goal: Int128
        /// How far it is to the goal, such as `56.5% of 600,000`.
        package var text: String

        package init(points: Int128, goal: Int128, text: String) {
            self.points = points
            self.goal = goal
            self.text = text
        }
    }

    package init(name: String, total: String, caption: String, goal: Goal?, address: String) {
        self.name = name
        self.total = total
        self.caption = caption
        self.goal = goal
        self.address = address
    }

    /// - Returns: Nil when this machine has no fonts; see ``DrawingFonts``.
    package func png() -> [UInt8]? { Drawing.png { drawing($0) } }

    private func drawing(_ fitter: TextFitter) -> Drawing {
        var sheet = CardSheet(fitter, address: address)
        name(on: &sheet, fitter)
        sheet.plates(total, top: 250)
        let captionWidth = goal == nil ? CardSheet.innerWidth : CardSheet.innerWidth * 0.6
        sheet.text(caption, .text(40), .text(34), .text(30), color: .chalk, width: captionWidth, baseline: 478)
        guard let goal else {
            sheet.drawing.fill(.rectangle(Rectangle(CardSheet.left, 544, CardSheet.innerWidth, 2)), .rule)
            return sheet.drawing
        }
        let left = CardSheet.left + captionWidth + 24
        sheet.text(
            goal.text, .sign(40), .sign(34), .sign(28), color: .chalk, left: left, width: CardSheet.right - left,
            baseline: 478, anchor: .end)
        bar(Progress(points: goal.points, goal: goal.goal), on: &sheet)
        return sheet.drawing
    }

    private func name(on sheet: inout CardSheet, _ fitter: TextFitter) {
        let clean = VisibleText(name).text
        let largest = [96.0, 84, 74].map { TextStyle.sign($0) }
        if let style = largest.first(where: { fitter.width(of: clean, $0) <= CardSheet.innerWidth }) {
            return sheet.text(clean, style, color: .chalk, baseline: 160)
        }
        let style = TextStyle.sign(66)
        for (index, line) in fitter.lines(clean, style, widthMax: CardSheet.innerWidth).enumerated() {
            sheet.text(line, style, color: .chalk, baseline: 122 + Double(index) * 74)
        }
    }

    private func bar(_ progress: Progress, on sheet: inout CardSheet) {
        let (left, top, width, height) = (CardSheet.left, 516.0, CardSheet.innerWidth, 22.0)
        sheet.drawing.fill(.rectangle(Rectangle(left, top, width, height)), .shadow)
        guard let seam = progress.seam else {
            // Whoever donated the first point shall see it.
            let filled = progress.filled > 0 ? max(progress.filled * width, 3) : 0
            return sheet.drawing.fill(.rectangle(Rectangle(left, top, filled, height)), .coral)
        }
        let goal = max(seam * width, 3)
        sheet.drawing.fill(.rectangle(Rectangle(left, top, goal, height)), .coral)
        sheet.drawing.fill(.rectangle(Rectangle(left + goal + 4, top, max(width - goal - 4, 3), height)), .gold)
    }
}
