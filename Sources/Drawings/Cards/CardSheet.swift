package import Domain

/// The picture beside a name on a card.
package enum Portrait: Sendable {
    /// The player's own picture.
    case picture(SmallPicture)
    /// A player without one.
    case flag(Player.ID)
    /// The empty frame of those who do not want to be named.
    case anonymous
}

/// What all cards share: their size, the board's background, the foot with the wordmark and an address. A card is what
/// a chat or a social network shows of a page.
struct CardSheet {
    static let width: Double = 1_200
    static let height: Double = 630
    static let left: Double = 76
    static let right: Double = 1_124
    static var innerWidth: Double { right - left }

    let fitter: TextFitter
    var drawing = Drawing(width: Self.width, height: Self.height)

    /// - Parameter address: Where the page is, without the scheme; it stands at the bottom right.
    init(_ fitter: TextFitter, address: String) {
        self.fitter = fitter
        drawing.background = .board
        drawing.items.append(.group(x: Self.left, y: 580, scale: 0.9, HouseMarks.wordmark))
        text(
            address, .text(26), .text(22), color: .dim, left: 300, width: Self.right - 300, baseline: 598, anchor: .end)
    }

    /// Puts a text on one line, cut to its width.
    mutating func text(
        _ text: String, _ styles: TextStyle..., color: HexColor, left: Double = Self.left,
        width: Double = Self.innerWidth, baseline: Double, anchor: TextLine.Anchor = .start
    ) {
        let (fitted, style) = fitter.line(text, styles, widthMax: width)
        drawing.items.append(
            .text(TextLine(fitted, style, color, left: left, width: width, baseline: baseline, anchor: anchor)))
    }

    mutating func portrait(_ portrait: Portrait, _ box: Rectangle) {
        switch portrait {
        case .picture(let picture):
            drawing.fill(.rectangle(box), HexColor(rgb: 0xdbe3df))
            drawing.items.append(.picture(picture, box))
        case .flag(let player): flag(Flag.drawing(of: player), box)
        case .anonymous: flag(Flag.anonymous, box)
        }
        // Some flags have the board's own colour at their edge.
        for edge in [
            Rectangle(box.x, box.y, box.width, 1), Rectangle(box.x, box.y + box.height - 1, box.width, 1),
            Rectangle(box.x, box.y, 1, box.height), Rectangle(box.x + box.width - 1, box.y, 1, box.height),
        ] { drawing.fill(.rectangle(edge), HexColor(rgb: 0x5a7a75)) }
    }

    private mutating func flag(_ flag: Drawing, _ box: Rectangle) {
        var items = flag.items
        if let background = flag.background {
            items.insert(.fill(.rectangle(Rectangle(0, 0, flag.width, flag.height)), background), at: 0)
        }
        drawing.items.append(.group(x: box.x, y: box.y, scale: box.width / flag.width, items))
    }

    /// Hangs a number on plates by a wire, a plate for each digit, smaller ones if there are many. Separators and signs
    /// stand between them. What is too long even so is a text.
    mutating func plates(_ number: String, top: Double) {
        let characters = VisibleText(number).characters
        let isDigit = characters.map { $0.first?.isNumber ?? false }
        let widths = isDigit.map { $0 ? Plate.width + Plate.gap : Plate.separatorWidth }
        let total = widths.reduce(0, +) - (isDigit.last == true ? Plate.gap : 0)
        let scale = min(1, Self.innerWidth / max(total, 1))
        guard scale > 0.25, isDigit.contains(true) else {
            return text(number, .sign(96), .sign(64), .sign(44), color: .chalk, baseline: top + 120)
        }
        // Plates stand on the line on which full-size ones would stand.
        let below = top + Plate.height * (1 - scale)
        func at(_ x: Double, _ y: Double) -> (x: Double, y: Double) { (Self.left + x * scale, below + y * scale) }
        let wire = at(0, 16)
        drawing.fill(.rectangle(Rectangle(wire.x, wire.y - 1, total * scale, 2)), .dim)
        var x: Double = 0
        for (index, character) in characters.enumerated() {
            let place = at(x, 0)
            if isDigit[index] {
                plate(character, place, scale)
            } else {
                let style = TextStyle.sign(102 * scale)
                let line = TextLine(
                    character, style, .chalk, left: index == 0 ? place.x : place.x - Plate.gap * scale,
                    width: (Plate.separatorWidth + (index == 0 ? 0 : Plate.gap)) * scale,
                    baseline: at(x, Plate.baseline).y, anchor: .middle)
                drawing.items.append(.text(line))
            }
            x += widths[index]
        }
    }

    private mutating func plate(_ digit: String, _ place: (x: Double, y: Double), _ scale: Double) {
        let (width, height) = (Plate.width * scale, Plate.height * scale)
        let box = Rectangle(place.x, place.y, width, height)
        var shadow = box
        shadow.y += 5 * scale
        drawing.fill(.rectangle(shadow, radius: 7 * scale), .shadow)
        drawing.fill(.rectangle(box, radius: 7 * scale), .plate)
        for x in [23, Plate.width - 23] {
            drawing.fill(.circle(x: place.x + x * scale, y: place.y + 16 * scale, radius: 5.5 * scale), .board)
        }
        let baseline = place.y + Plate.baseline * scale
        let line = TextLine(
            digit, .sign(128 * scale), .ink, left: place.x, width: width, baseline: baseline, anchor: .middle)
        drawing.items.append(.text(line))
    }

    /// The measures of a plate of full size.
    private enum Plate {
        static let width: Double = 104
        static let height: Double = 152
        static let gap: Double = 10
        static let separatorWidth: Double = 31
        static let baseline: Double = 132
    }
}

/// The marks of the house.
enum HouseMarks {
    /// The plate that is filled from below and smiles, in a square of 24 pixels.
    static func plate(_ plate: HexColor, holes: HexColor) -> [DrawingItem] {
        [
            .fill(.rectangle(Rectangle(2.5, 3, 19, 18), radius: 2.5), plate),
            .fill(.circle(x: 7.5, y: 7.5, radius: 1.6), holes), .fill(.circle(x: 16.5, y: 7.5, radius: 1.6), holes),
            .fill(
                .path("M2.5 11.5Q12 17.5 21.5 11.5V18.5A2.5 2.5 0 0 1 19 21H5A2.5 2.5 0 0 1 2.5 18.5Z"),
                HexColor(rgb: 0xc23a14)),
        ]
    }

    /// The name of the house, from x 3 to 181 and from y -10 to 19.
    static let wordmark: [DrawingItem] = [
        .stroke(letters, widthPixels: 4.8, .chalk),
        .fill(.path("M119 8.5H126V11A3 3 0 0 1 123 14H122A3 3 0 0 1 119 11Z"), .coral),
    ]

    private static let letters: PathData = """
        M14 5.4V5A5 5 0 0 0 9 0H8A5 5 0 0 0 3 5V11A5 5 0 0 0 8 16H9A5 5 0 0 0 14 11V10.6\
        M22 5A5 5 0 0 1 27 0H28A5 5 0 0 1 33 5V11A5 5 0 0 1 28 16H27A5 5 0 0 1 22 11Z\
        M33 -2.4V18.4M41 -2.4V11A5 5 0 0 0 46 16H47A5 5 0 0 0 52 11V-2.4M52 8V18.4\
        M70.6 3.6A4 3.8 0 0 0 67 0H64A4 4 0 0 0 64 8H67A4 4 0 0 1 67 16H64A4 3.8 0 0 1 60.4 12.4\
        M79 8H90V5A5 5 0 0 0 85 0H84A5 5 0 0 0 79 5V11A5 5 0 0 0 84 16H85A5 5 0 0 0 89.6 12.8\
        M98 5A5 5 0 0 1 103 0H104A5 5 0 0 1 109 5V11A5 5 0 0 1 104 16H103A5 5 0 0 1 98 11Z\
        M98 -9.6V18.4M117 5A5 5 0 0 1 122 0H123A5 5 0 0 1 128 5V11A5 5 0 0 1 123 16H122A5 5 0 0 1 117 11Z\
        M136 5A5 5 0 0 1 141 0H142A5 5 0 0 1 147 5V11A5 5 0 0 1 142 16H141A5 5 0 0 1 136 11Z\
        M147 -2.4V18.4M155 -2.4V18.4M155 5A5 5 0 0 1 160 0H163\
        M167.6 5A5 5 0 0 1 172.6 0H173.6A5 5 0 0 1 178.6 5V11A5 5 0 0 1 173.6 16H172.6A5 5 0 0 1 167.6 11Z\
        M178.6 -9.6V18.4
        """
}
