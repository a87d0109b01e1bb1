import TestDice
import TestXML
import Testing

@testable import Drawings

@Suite struct RandomTextTests {
    @Test("random texts are drawn in their place, and written as well-formed SVG", arguments: Dice.seeds(1...4))
    func random(_ seed: UInt64) throws {
        var dice = Dice(seed: seed)
        for _ in 0..<40 {
            let text = Self.text(&dice)
            var sign = Samples.sign(name: text)
            (sign.total, sign.caption, sign.size) = (text, text, dice.pick(SignSize.allCases))
            sign.goal?.points = Int128(truncatingIfNeeded: dice.next())
            #expect(XMLReader.elements(of: Thermometer(sign).svg()) != nil, "\(text.debugDescription)")
            #expect(XMLReader.elements(of: Badge(sign, label: text).svg()) != nil, "\(text.debugDescription)")
            guard DrawingFonts.areInstalled else { continue }
            let pixels = try Pixels(of: Thermometer(sign).png())
            let sides = (20..<(pixels.height - 20)).flatMap { y in [pixels[1, y], pixels[pixels.width - 2, y]] }
            #expect(sides.allSatisfy { $0 == 0x0d3b3a }, "\(text.debugDescription)")
        }
    }

    /// Code points from anywhere, and often from where scripts are joined, stacked or turned around.
    private static func text(_ dice: inout Dice) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x10FFFF, 0x20...0x7E, 0x300...0x36F, 0x590...0x8FF, 0x900...0xDFF, 0x2000...0x206F, 0xFB1D...0xFEFF,
            0x1F000...0x1FAFF, 0xE0000...0xE01EF,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...60, using: &dice) {
            let range = dice.pick(ranges)
            let value = UInt32.random(in: range, using: &dice)
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        return String(text)
    }
}
