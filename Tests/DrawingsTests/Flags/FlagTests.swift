import Domain
import TestXML
import Testing

@testable import Drawings

@Suite struct FlagTests {
    @Test(
        "a player's flag is what the mock-ups show",
        arguments: [
            (1_166_009_141, "f2c14a", "<rect x=\"0\" y=\"20\" width=\"40\" height=\"20\" fill=\"#8a2f4b\"/>"),
            (40_404, "f2c14a", "<rect x=\"0\" y=\"0\" width=\"20\" height=\"20\" fill=\"#1f5fa8\"/>"),
            (2_075_285_755, "9fd3c7", "<path d=\"M0 40L40 0V40Z\" fill=\"#c23a14\"/>"),
            (6_285_469_400_662_394, "5b3a6e", "<rect x=\"15\" y=\"0\" width=\"10\" height=\"40\" fill=\"#f0c3cf\"/>"),
        ]) func mockups(_ id: Int64, _ background: String, _ figure: String)
    {
        let text = String(decoding: Flag.svg(of: Player.ID(rawValue: id)), as: UTF8.self)
        #expect(text.contains("<rect x=\"0\" y=\"0\" width=\"40\" height=\"40\" fill=\"#\(background)\"/>\(figure)"))
    }

    @Test("a thousand players have all sixteen divisions and all colours, and the same flag each time") func spread() {
        var divisions: [Int: Int] = [:]
        var colors: Set<HexColor> = []
        for id in 1...1_000 as ClosedRange<Int64> {
            let choice = Flag.Choice(Player.ID(rawValue: id * 7_919))
            #expect(choice == Flag.Choice(Player.ID(rawValue: id * 7_919)))
            divisions[choice.division, default: 0] += 1
            colors.formUnion([choice.background, choice.figure])
        }
        #expect(Set(divisions.keys) == Set(0..<16))
        #expect(divisions.values.allSatisfy { $0 > 30 })
        #expect(colors == Set(Flag.darks + Flag.lights))
    }

    @Test("any two colours of a flag can be told apart") func contrast() {
        for dark in Flag.darks {
            for light in Flag.lights { #expect(dark.contrast(with: light) > 2.3, "\(dark) \(light)") }
        }
    }

    @Test("ids at the ends of their type have flags too", arguments: [Int64.min, -1, 0, 1, .max]) func ends(_ id: Int64)
        throws
    {
        let player = Player.ID(rawValue: id)
        #expect(XMLReader.elements(of: Flag.svg(of: player))?.first?.name == "svg")
        let bytes = try #require(Flag.png(of: player, sidePixels: 40))
        let pixels = try Pixels(of: bytes)
        #expect((pixels.width, pixels.height) == (40, 40))
    }

    @Test("a PNG of a flag has its two colours, in any size", arguments: [-5, 40, 41, 1_000]) func png(_ side: Int)
        throws
    {
        let player = Player.ID(rawValue: 40_404)
        let bytes = try #require(Flag.png(of: player, sidePixels: side))
        let pixels = try Pixels(of: bytes)
        #expect(pixels.width == min(max(side, 16), 512))
        #expect(pixels[1, 1] == 0x1f5fa8)
        #expect(pixels[pixels.width - 2, 1] == 0xf2c14a)
        #expect(Flag.png(of: player, sidePixels: side) == bytes)
    }

    @Test("the frame of Anonymous is a picture") func anonymous() {
        #expect(XMLReader.elements(of: Flag.anonymousSVG())?.count == 22)
    }
}
