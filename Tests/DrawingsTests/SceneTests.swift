import Domain
import Testing

@testable import Drawings

@Suite struct SceneTests {
    @Test("a colour is six hex digits and nothing else") func colors() {
        #expect(HexColor("0d3B3a")?.description == "0d3b3a")
        for text in ["", "fff", "#0d3b3a", "0d3b3", "0d3b3ag", "0d3b3a00", "0d3b3g", " d3b3a", "٠٠٠٠٠٠", "0d3b3a\0"] {
            #expect(HexColor(text) == nil, "\(text)")
        }
        #expect(HexColor.ink.contrast(with: .plate) > 14)
        #expect(HexColor.board.mixed(with: .chalk, part: 0) == .board)
        #expect(HexColor.board.mixed(with: .chalk, part: .nan) == .board)
        #expect(HexColor.board.mixed(with: .chalk, part: 7) == .chalk)
    }

    @Test("numbers are written with two decimals at most, and whatever they are with digits") func numbers() {
        #expect(
            [0, 1, -2.5, 3.14159, 0.05, -0.004, 1e30, .nan, .infinity].map(\.svgText) == [
                "0", "1", "-2.5", "3.14", "0.05", "0", "1000000", "-1000000", "1000000",
            ])
    }

    @Test("a path's arcs and bends end where they should, and pass through their middle") func arcs() throws {
        let circle = Contours(.circle(x: 10, y: 10, radius: 5)).list
        #expect(circle.count == 1 && circle[0].segments.count == 4)
        let quarter = try #require(Contours(.path("M0 5A5 5 0 0 1 5 0")).list.first)
        guard case .curve(let one, let two, let end) = quarter.segments.first else {
            Issue.record("no curve")
            return
        }
        #expect(end == Contours.Point(x: 5, y: 0))
        // The middle of a quarter of a circle around (5, 5).
        let middle = (x: (3 * one.x + 3 * two.x + 5) / 8, y: (5 + 3 * one.y + 3 * two.y) / 8)
        let distance = ((middle.x - 5) * (middle.x - 5) + (middle.y - 5) * (middle.y - 5)).squareRoot()
        #expect(abs(distance - 5) < 0.01)
        #expect(middle.x < 2 && middle.y < 2, "the arc turns around the right centre")
    }

    @Test(
        "a path that cannot be read ends where it cannot",
        arguments: ["", "M", "M1", "M1 2Lx", "Q1 2 3 4", "A1", "Z", "%"]) func broken(_ path: String)
    { _ = Contours(.path(PathData(stringLiteral: path))) }

    @Test("a picture is a PNG of forty pixels at most by its header, and a broken one leaves its place empty")
    func pictures() throws {
        let flag = try #require(Flag.png(of: .init(rawValue: 7), sidePixels: 40))
        #expect(SmallPicture(png: flag) != nil)
        #expect(Flag.png(of: .init(rawValue: 7), sidePixels: 41).flatMap(SmallPicture.init) == nil)
        #expect(SmallPicture(png: []) == nil)
        #expect(SmallPicture(png: Array(flag.prefix(20))) == nil)
        for length in stride(from: 24, to: flag.count, by: 7) {
            let broken = try #require(SmallPicture(png: Array(flag.prefix(length))))
            var drawing = Drawing(width: 50, height: 50)
            drawing.background = .board
            drawing.items = [.picture(broken, Rectangle(5, 5, 40, 40))]
            let pixels = try Pixels(of: drawing.png())
            #expect(pixels[0, 0] == 0x0d3b3a)
        }
    }

    @Test("a drawing that is too large is none") func tooLarge() {
        #expect(Drawing(width: 5_000, height: 10).png() == nil)
        #expect(Drawing(width: 0, height: 10).png() == nil)
        #expect(Drawing(width: .nan, height: 10).png() == nil)
    }
}
