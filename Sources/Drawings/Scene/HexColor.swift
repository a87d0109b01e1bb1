import Domain

/// A colour of 24 bits, as an address or a style sheet writes it: six hex digits without `#`.
package struct HexColor: Sendable, Hashable, CustomStringConvertible {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    /// Nil unless the text is exactly six hex digits, in either case.
    package init?(_ text: some StringProtocol) {
        guard let bytes = Hex.bytes(text), bytes.count == 3 else { return nil }
        self.init(red: bytes[0], green: bytes[1], blue: bytes[2])
    }

    /// - Parameter rgb: `0xRRGGBB`; higher bits are ignored.
    init(rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb))
    }

    private init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Six hex digits in lower case.
    package var description: String { Hex.text([red, green, blue]) }

    /// The colour with a part of another one in it.
    /// - Parameter part: 0 leaves the colour, 1 gives the other one.
    func mixed(with other: HexColor, part: Double) -> HexColor {
        let part = part.clamped(0, 1)
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Double(one) * (1 - part) + Double(two) * part).clamped(0, 255))
        }
        return HexColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    /// The contrast of two colours, 1...21, as WCAG 2.2 defines it.
    func contrast(with other: HexColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The relative luminance of WCAG 2.2, with the plain power of 2.2 instead of its two branches.
    private var luminance: Double {
        func light(_ part: UInt8) -> Double { pow22(Double(part) / 255) }
        return 0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue)
    }

    private func pow22(_ base: Double) -> Double {
        // x^2.2 is close to 0.8 x^2 + 0.2 x^3, and the standard library has no power.
        0.8 * base * base + 0.2 * base * base * base
    }
}

extension HexColor {
    // The tokens of the style sheet.
    static let board = HexColor(rgb: 0x0d3b3a)
    static let plate = HexColor(rgb: 0xf7f8f2)
    static let chalk = HexColor(rgb: 0xf3f7f1)
    static let dim = HexColor(rgb: 0xb4cdc7)
    static let ink = HexColor(rgb: 0x10201f)
    static let rule = HexColor(rgb: 0x2c5a57)
    static let shadow = HexColor(rgb: 0x06211f)
    static let gold = HexColor(rgb: 0xe8b93e)
    static let vermilion = HexColor(rgb: 0xbf3812)
    /// Vermilion in a field of plates' colour.
    static let filling = HexColor(rgb: 0xd9481c)
    /// Vermilion on the board.
    static let coral = HexColor(rgb: 0xff8c60)
}

extension Double {
    /// The number within bounds; what is no number becomes the lower one.
    func clamped(_ lowest: Double, _ highest: Double) -> Double { self > lowest ? min(self, highest) : lowest }
}
