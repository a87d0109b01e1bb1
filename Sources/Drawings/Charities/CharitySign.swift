/// What a thermometer or badge says of a charity. Its texts come in the language of whoever looks, with their numbers
/// written out.
package struct CharitySign: Sendable {
    package var name: String
    /// The points that were given, such as `339,176`.
    package var total: String
    /// What stands below the total, such as `points given by 29 players`.
    package var caption: String
    package var goal: Goal?
    package var colors = SignColors()
    package var size = SignSize.medium

    package init(name: String, total: String, caption: String, goal: Goal? = nil) {
        self.name = name
        self.total = total
        self.caption = caption
        self.goal = goal
    }

    /// How far a charity has come. Negative points count as none, and a goal below 1 as 1.
    package struct Goal: Sendable {
        package var points: Int128
        package var goal: Int128
        /// How much of the goal that is, such as `56.5%`.
        package var percent: String
        /// The texts of the scale, such as `0`, `300,000` and `600,000`.
        package var none: String
        package var half: String
        package var all: String

        package init(points: Int128, goal: Int128, percent: String, none: String, half: String, all: String) {
            self.points = points
            self.goal = goal
            self.percent = percent
            self.none = none
            self.half = half
            self.all = all
        }

        var progress: Progress { Progress(points: points, goal: goal) }
    }
}

/// A share of a bar or of a tube.
struct Progress: Equatable {
    /// What is filled, 0...1; everything is once the goal is reached.
    let filled: Double
    /// Where the goal lies in what is filled, 0...1; nil unless more was given than the goal.
    let seam: Double?

    init(points: Int128, goal: Int128) {
        let (points, goal) = (Double(max(points, 0)), Double(max(goal, 1)))
        filled = (points / goal).clamped(0, 1)
        seam = points > goal ? (goal / points).clamped(0, 1) : nil
    }
}

/// The colours of a sign; those that are nil are the house's, or follow from the others.
package struct SignColors: Sendable, Hashable {
    /// Texts.
    package var ink: HexColor?
    /// The background.
    package var paper: HexColor?
    /// What was donated.
    package var accent: HexColor?

    package init(ink: HexColor? = nil, paper: HexColor? = nil, accent: HexColor? = nil) {
        self.ink = ink
        self.paper = paper
        self.accent = accent
    }

    var background: HexColor { paper ?? .board }
    /// The ink, or chalk or ink by which of them can be read on the paper.
    var text: HexColor {
        ink ?? (HexColor.chalk.contrast(with: background) >= HexColor.ink.contrast(with: background) ? .chalk : .ink)
    }
    var dim: HexColor { isHouse ? .dim : text.mixed(with: background, part: 0.25) }
    /// A tube or plate, and the ink on a plate.
    var plate: HexColor { isHouse ? .plate : text.mixed(with: background, part: 0.06) }
    var onPlate: HexColor { isHouse ? .ink : background }
    /// A tube, which a sign in colours of its own has fainter than plates.
    var tube: HexColor { isHouse ? .plate : background.mixed(with: text, part: 0.18) }
    var filling: HexColor { accent ?? .filling }

    private var isHouse: Bool { ink == nil && paper == nil }
}

package enum SignSize: String, Sendable, CaseIterable {
    case small = "s"
    case medium = "m"
    case large = "l"
}

/// Pixels of a PNG for each pixel of the page.
package enum PixelRatio: Int, Sendable, CaseIterable {
    case one = 1
    case two = 2
}
