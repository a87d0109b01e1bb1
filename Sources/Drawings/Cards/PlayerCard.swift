/// A card of 1200x630 pixels that says what a player donated. Its texts come in the language of the page.
package struct PlayerCard: Sendable {
    package var name: String
    package var portrait: Portrait
    /// The line under the name, such as `Rank 18 of 500 on High scores`; may be empty.
    package var line: String
    /// The number on the plates, such as `703,900`.
    package var total: String
    /// What the number is, such as `points given to 5 charities`.
    package var caption: String
    /// What each charity got, the largest share first.
    package var shares: [Int128]
    /// Where the page is, such as `play.example/players/7`.
    package var address: String

    package init(
        name: String, portrait: Portrait, line: String, total: String, caption: String, shares: [Int128],
        address: String
    ) {
        self.name = name
        self.portrait = portrait
        self.line = line
        self.total = total
        self.caption = caption
        self.shares = shares
        self.address = address
    }

    /// - Returns: Nil when this machine has no fonts; see ``DrawingFonts``.
    package func png() -> [UInt8]? { Drawing.png { drawing($0) } }

    private func drawing(_ fitter: TextFitter) -> Drawing {
        var sheet = CardSheet(fitter, address: address)
        sheet.portrait(portrait, Rectangle(CardSheet.left, 72, 120, 120))
        let left: Double = 226
        let width = CardSheet.right - left
        sheet.text(
            name, .sign(84), .sign(72), .sign(60), .sign(50), color: .chalk, left: left, width: width,
            baseline: line.isEmpty ? 158 : 142)
        sheet.text(line, .text(32), .text(28), color: .dim, left: left + 2, width: width - 2, baseline: 188)
        sheet.plates(total, top: 262)
        sheet.text(caption, .text(44), .text(36), color: .chalk, baseline: 492)
        strip(on: &sheet)
        return sheet.drawing
    }

    /// A bar of one colour a charity. Those beyond the fifth share the last part.
    private func strip(on sheet: inout CardSheet) {
        let colors: [HexColor] = [.coral, .gold, .dim, HexColor(rgb: 0xd1925f), HexColor(rgb: 0x6d9a93)]
        var given = shares.map { Double(max($0, 0)) }.filter { $0 > 0 }
        if given.count > colors.count {
            given = given.prefix(colors.count - 1) + [given.dropFirst(colors.count - 1).reduce(0, +)]
        }
        let sum = given.reduce(0, +)
        guard sum > 0 else {
            return sheet.drawing.fill(.rectangle(Rectangle(CardSheet.left, 544, CardSheet.innerWidth, 2)), .rule)
        }
        // The smallest share can still be seen; the others make room for it.
        let (gap, least) = (2.0, 6.0)
        let room = CardSheet.innerWidth - gap * Double(given.count - 1) - least * Double(given.count)
        var x = CardSheet.left
        for (index, points) in given.enumerated() {
            let width = least + room * points / sum
            sheet.drawing.fill(.rectangle(Rectangle(x, 541, width, 8)), colors[index])
            x += width + gap
        }
    }
}
