/// A number on plates: one a digit, with the separators between them.
struct Plates {
    let fill: Fill

    /// - Parameter text: The number as the language writes it.
    init(_ text: String) {
        fill = .scope([
            "width": NumberWidth.fill([text]),
            "signs": .list(
                text.map { character in ["sign": .text(String(character)), "is-digit": .flag(character.isNumber)] }),
        ])
    }
}

/// A bar that is filled towards a goal; past it the goal is the seam between two colours.
struct Bar {
    let fill: Fill

    /// - Parameters:
    ///   - tenths: Progress in tenths of a percent.
    ///   - marks: Places of notches on the bar, in tenths of a percent of its length.
    init(progressTenths tenths: Int128, marks: [Int128] = []) {
        let notches = Fill.list(marks.map { ["x": .text(Self.percent(tenths: $0))] })
        if tenths <= 1_000 {
            fill = .scope(["width": .text(Self.percent(tenths: max(tenths, 0))), "over": false, "marks": notches])
        } else {
            // The goal's share of the whole; the gap of 0.4 between both parts is the seam.
            let share = 1_000_000 / tenths
            fill = .scope([
                "width": .text(Self.percent(tenths: share)),
                "over": .scope([
                    "x": .text(Self.percent(tenths: share + 4)),
                    "width": .text(Self.percent(tenths: max(1_000 - share - 4, 0))),
                ]), "marks": notches,
            ])
        }
    }

    /// The share of a whole in tenths of a percent, 0...1,000.
    static func shareTenths(_ part: Int128, of whole: Int128) -> Int128 {
        guard part > 0, whole > 0 else { return 0 }
        let (product, overflow) = part.multipliedReportingOverflow(by: 1_000)
        return overflow ? 1_000 : min(product / whole, 1_000)
    }

    /// As SVG writes it: `56.5`.
    static func percent(tenths: Int128) -> String { "\(tenths / 10).\(tenths % 10)" }
}
