import TestDice
import TestXML
import Testing

@testable import Drawings

/// Thermometers and badges, as SVG and as PNG.
@Suite struct SignTests {
    @Test(
        "whatever a charity is called, its SVG is well-formed and has the same elements",
        arguments: Samples.hostileIndices) func hostile(_ index: Int) throws
    {
        let name = Samples.hostile[index]
        let known: Set = ["svg", "title", "rect", "circle", "path", "text", "g"]
        for size in SignSize.allCases {
            for points in [nil, 0, 339_176, 900_000] as [Int128?] {
                var sign = Samples.sign(name: name, points: points)
                sign.size = size
                sign.caption = name
                sign.goal?.percent = name
                sign.goal?.half = name
                for bytes in [Thermometer(sign).svg(), Badge(sign, label: name).svg()] {
                    let elements = try #require(XMLReader.elements(of: bytes))
                    #expect(Set(elements.map(\.name)).isSubset(of: known))
                    #expect(elements.filter { $0.name == "title" }.count == 1)
                    #expect(elements.allSatisfy { $0.attributes.keys.allSatisfy { !$0.hasPrefix("on") } })
                    #expect(bytes.count < 30_000)
                    let texts = elements.filter { $0.name == "text" }.map(\.text).joined()
                    #expect(
                        !texts.unicodeScalars.contains {
                            "\u{202A}\u{202B}\u{202D}\u{202E}\u{2066}".unicodeScalars.contains($0)
                        })
                }
            }
        }
    }

    @Test("every text of an SVG lies in a viewport that lies within the picture") func viewports() throws {
        for size in SignSize.allCases {
            var sign = Samples.sign(name: String(repeating: "Wide ", count: 60))
            sign.size = size
            let elements = try #require(XMLReader.elements(of: Thermometer(sign).svg()))
            let width = try #require(elements.first?.attributes["width"].flatMap(Double.init))
            for box in elements.dropFirst() where box.name == "svg" {
                let left = try #require(box.attributes["x"].flatMap(Double.init))
                let wide = try #require(box.attributes["width"].flatMap(Double.init))
                #expect(left >= 0 && left + wide <= width)
            }
        }
    }

    @Test("right-to-left text is isolated, and other text is as it was sent") func isolation() {
        let arabic = String(decoding: Thermometer(Samples.sign(name: "مطبخ")).svg(), as: UTF8.self)
        #expect(arabic.contains(">\u{2068}مطبخ\u{2069}</text>"))
        #expect(!String(decoding: Thermometer(Samples.sign()).svg(), as: UTF8.self).contains("\u{2068}"))
    }

    @Test("what was donated beyond the goal is gold; the goal is the seam") func gold() {
        func colors(_ points: Int128) -> String {
            String(decoding: Thermometer(Samples.sign(points: points)).svg(), as: UTF8.self)
        }
        #expect(!colors(600_000).contains("e8b93e"))
        #expect(colors(600_001).contains("e8b93e"))
        #expect(Progress(points: 150, goal: 600).filled == 0.25)
        #expect(Progress(points: 900, goal: 300).seam == 1.0 / 3)
        #expect(Progress(points: -5, goal: 300) == Progress(points: 0, goal: 300))
        #expect(Progress(points: .max, goal: .min).seam ?? 1 < 1e-30)
        #expect(Progress(points: .min, goal: .max).filled == 0)
        #expect(Progress(points: 0, goal: 0).filled == 0)
    }

    @Test("a sign's own colours are used, and what was donated can be told from its background") func colors() throws {
        var sign = Samples.sign()
        sign.colors = SignColors(ink: HexColor("111111"), paper: HexColor("fefefe"), accent: HexColor("1f5fa8"))
        let text = String(decoding: Thermometer(sign).svg(), as: UTF8.self)
        for color in ["111111", "fefefe", "1f5fa8"] { #expect(text.contains("#\(color)")) }
        #expect(!text.contains("0d3b3a"))
        sign.colors = SignColors(paper: HexColor("ffffff"))
        #expect(String(decoding: Thermometer(sign).svg(), as: UTF8.self).contains("fill=\"#10201f\""), "ink on white")
    }

    @Test("PNGs have the size of the SVG, once or twice, whatever the name", arguments: Samples.hostileIndices)
    func sizes(_ index: Int) throws {
        guard DrawingFonts.areInstalled else { return }
        for size in SignSize.allCases {
            var sign = Samples.sign(name: Samples.hostile[index], points: index.isMultiple(of: 2) ? nil : 900_000)
            sign.size = size
            try expectPictures(of: sign, label: Samples.hostile[index])
        }
    }

    @Test("points and goals of any size make a picture", arguments: [Int128.min, -1, 0, 1, 599_999, 600_001, .max])
    func numbers(_ points: Int128) throws {
        guard DrawingFonts.areInstalled else { return }
        for goal in [Int128.min, 0, 1, .max] {
            var sign = Samples.sign(points: points)
            sign.goal?.goal = goal
            try expectPictures(of: sign, label: "points donated")
        }
    }

    private func expectPictures(of sign: CharitySign, label: String) throws {
        for ratio in PixelRatio.allCases {
            let bytes = try #require(Thermometer(sign).png(ratio))
            #expect(Thermometer(sign).png(ratio) == bytes)
            let pixels = try Pixels(of: bytes)
            let width = [SignSize.small: 144, .medium: 200, .large: 300][sign.size] ?? 0
            #expect(pixels.width == width * ratio.rawValue)
            #expect(pixels[0, 0] >> 24 == 127, "the corner is round")
            let sides = (20..<(pixels.height - 20)).flatMap { y in [pixels[1, y], pixels[pixels.width - 2, y]] }
            #expect(sides.allSatisfy { $0 == 0x0d3b3a }, "nothing reaches the sides")
        }
        let badge = try Pixels(of: Badge(sign, label: label).png(.two))
        #expect(badge.width < 1_400)
        #expect(badge.height == [SignSize.small: 40, .medium: 56, .large: 80][sign.size])
    }
}

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
