import Synchronization
import Testing

@testable import Drawings

@Suite struct ShapedTextTests {
    @Test("Arabic letters are joined and stand from right to left; what the fonts lack is a box or nothing")
    func arabic() {
        FontBook.shared.withLock { fonts in
            guard !fonts.isEmpty else { return }
            let style = TextStyle.text(40)
            // Apart, the letters would have four forms of their own, which are wider.
            let joined = ShapedText("سلام", style, fonts)
            let apart = ShapedText("س ل ا م", style, fonts)
            #expect(joined.marks.count < apart.marks.count)
            #expect(joined.width < apart.width)
            #expect(ShapedText("abc", style, fonts).marks.count == 3)
            let places = ShapedText("אבג def", style, fonts).marks.map(\.x)
            #expect(places == places.sorted())
            let boxes = ShapedText("\u{10FFFD}\u{10FFFC}", style, fonts)
            #expect(boxes.marks.count == 2 && boxes.width == 2 * ShapedText.boxWidth(style))
            #expect(ShapedText("\u{200D}\u{200B}", style, fonts).marks.isEmpty)
        }
    }

    @Test("marks take no room") func marks() {
        FontBook.shared.withLock { fonts in
            guard !fonts.isEmpty else { return }
            let style = TextStyle.sign(40)
            #expect(ShapedText("x\u{0323}\u{0332}", style, fonts).width == ShapedText("x", style, fonts).width)
        }
    }

    @Test("the width of a text grows with its size") func sizes() {
        FontBook.shared.withLock { fonts in
            guard !fonts.isEmpty else { return }
            let (small, large) = (fonts.width(of: "Causeboard", .text(20)), fonts.width(of: "Causeboard", .text(40)))
            #expect(abs(large - 2 * small) < 1)
            #expect(fonts.width(of: "Causeboard", .text(.nan)).isFinite)
        }
    }
}
