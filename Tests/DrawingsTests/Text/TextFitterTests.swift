import Testing

@testable import Drawings

@Suite struct TextFitterTests {
    private let fitter = TextFitter(measure: EstimatedWidths())

    @Test("what shows nothing or turns its surroundings around is left out") func visible() {
        #expect(VisibleText("a\u{202E}b\u{2066}c\u{2069}").text == "abc")
        #expect(VisibleText("  a \n\t b\u{2028} ").text == "a b")
        #expect(VisibleText("\u{200B}\u{FEFF}\u{3164}\u{0}").text.isEmpty)
        #expect(VisibleText("👨‍👩‍👧‍👦").characters == ["👨‍👩‍👧‍👦"])
        #expect(VisibleText("می‌خواهم").text == "می‌خواهم", "a joiner inside of a word stays")
        #expect(VisibleText("e" + String(repeating: "\u{0301}", count: 90)).text.unicodeScalars.count == 5)
        #expect(VisibleText(String(repeating: "x", count: 100_000)).characters.count == 200)
    }

    @Test("a name that fits stays whole; one that does not is divided between words of much the same width")
    func balance() {
        let style = TextStyle.sign(17)
        #expect(fitter.lines("Tree Fund", style, widthMax: 184) == ["Tree Fund"])
        #expect(fitter.lines("Quillhaven Night Kitchen", style, widthMax: 184) == ["Quillhaven", "Night Kitchen"])
        #expect(fitter.lines("夜の台所と木の基金とその友の会", style, widthMax: 184).count == 2)
    }

    @Test("no name of any kind makes a line that is wider than its place", arguments: Samples.hostile.indices)
    func hostile(_ index: Int) {
        let name = Samples.hostile[index]
        for size in [8.0, 17, 84] {
            let style = TextStyle.sign(size)
            let lines = fitter.lines(name, style, widthMax: 184)
            #expect(lines.count <= 2)
            // A single character that is wider than its place stands alone, and is clipped.
            for line in lines where line.count > 2 { #expect(fitter.width(of: line, style) <= 184, "\(line)") }
            let line = fitter.line(name, style, widthMax: 184)
            #expect(line.count <= 2 || fitter.width(of: line, style) <= 184)
        }
        #expect(fitter.line(name, .text(16), widthMax: 0).count <= 2)
    }

    @Test("a text takes the largest size in which it fits, and an ellipsis in the smallest") func sizes() {
        let styles: [TextStyle] = [.text(40), .text(20)]
        #expect(fitter.line("short", styles, widthMax: 200).style == .text(40))
        #expect(fitter.line("rather long text", styles, widthMax: 200).style == .text(20))
        #expect(fitter.line(String(repeating: "long ", count: 30), styles, widthMax: 200).text.hasSuffix("…"))
    }
}
