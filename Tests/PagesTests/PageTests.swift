import Domain
import Foundation
import Testing

@testable import Pages

@Suite struct PageTests {
    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)", "' onclick='x",
        "\"\u{301} onmouseover=\"\u{301}alert(1)", "<\u{338}/bdi>", "{{name}}{{{name}}}", "{player}", "&lt;b&gt;",
        "\u{202E}evil\u{202C}", "\u{200B}\u{200D}", String(repeating: "👩‍👩‍👧‍👦", count: 32), "a\u{0}b", "]]>", "--><b>",
        String(repeating: "Z\u{300}\u{301}\u{302}\u{303}", count: 8),
    ]

    @Test("no name becomes an element or an attribute, on any page", arguments: hostile) func hostileNames(name: String)
        throws
    {
        for language in Language.all where ["en", "ar"].contains(language.code) {
            let context = PageContext(language: language, isLanguageChosen: true, publicURL: "https://play.example")
            let pages = Samples.pages(name: name, in: context)
            let plain = Samples.pages(name: "Ada", in: context)
            for (page, html) in pages {
                let expected = try #require(plain[page])
                #expect(Self.skeleton(html) == Self.skeleton(expected), "\(page) in \(language.code)")
            }
        }
    }

    /// The tags of a page with the names of their attributes, in order.
    private static func skeleton(_ html: [UInt8]) -> [String] {
        var tags: [String] = []
        var rest = Substring(decoding: html, as: UTF8.self)
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...]
            var tag = ""
            var isQuoted = false
            for character in rest.unicodeScalars {
                if character == "\"" { isQuoted.toggle() } else if !isQuoted { tag.unicodeScalars.append(character) }
                if character == ">", !isQuoted { break }
            }
            tags.append(tag)
            var scalars = rest.unicodeScalars.dropFirst()
            isQuoted = false
            while let scalar = scalars.first, isQuoted || scalar != ">" {
                if scalar == "\"" { isQuoted.toggle() }
                scalars = scalars.dropFirst()
            }
            rest = Substring(scalars.dropFirst())
        }
        return tags
    }

    @Test("no page has a style or a script in it, nor names another host") func selfContained() throws {
        let context = PageContext(language: .english, isLanguageChosen: false, publicURL: nil)
        for (page, html) in Samples.pages(name: "Ada", in: context) {
            let text = String(decoding: html, as: UTF8.self)
            #expect(!text.contains("style=") && !text.contains("<style"), "\(page)")
            let scripts = text.components(separatedBy: "<script").count - 1
            #expect(!text.contains(" on\u{6C}oad=") && scripts == (page == "play" ? 2 : 1), "\(page)")
            for part in text.components(separatedBy: "src=\"").dropFirst() { #expect(part.hasPrefix("/"), "\(page)") }
            #expect(!text.contains("{{") && !text.contains("}}"), "\(page)")
        }
    }

    @Test("a page with fifty rows is smaller than 60 KB") func size() throws {
        let context = PageContext(language: .english, isLanguageChosen: false, publicURL: "https://play.example")
        let html = try #require(Samples.pages(name: String(repeating: "x", count: 32), in: context)["board"])
        #expect(html.count < 60_000)
    }

    @Test("an overlay is clear, of a charity too, and an embed is not") func overlays() throws {
        let context = PageContext(language: .english, isLanguageChosen: false, publicURL: nil)
        for (page, isClear) in [
            ("overlay of a charity", true), ("overlay of a campaign", true), ("embed of a charity", false),
            ("embed of a campaign", false), ("embed of a board's campaign", false), ("embed", false),
        ] {
            let html = try #require(Samples.pages(name: "Ada", in: context)[page])
            #expect(String(decoding: html, as: UTF8.self).contains(" class=\"clear\"") == isClear, "\(page)")
        }
    }

    @Test("a link keeps the language that was chosen") func languages() {
        let chosen = PageContext(language: .english, isLanguageChosen: true, publicURL: nil)
        #expect(chosen.href("/charities", [("from", "51")]).html == "/charities?from=51&amp;lang=en")
        let preferred = PageContext(language: .english, isLanguageChosen: false, publicURL: nil)
        #expect(preferred.href("/charities").html == "/charities")
    }

    @Test("the points to the next rank are those that pass the row above, or that reach the next better points")
    func toNext() {
        let context = PageContext(language: .english, isLanguageChosen: false, publicURL: nil)
        func gaps(_ ties: Board.Ties, _ points: [Int128], before: Int128?) -> [String] {
            let rows = points.enumerated().map { Samples.standing(Int64($0.offset + 1), "A", points: $0.element) }
            let ranks = Ranks.consecutive(points, from: 2, sharedFrom: 2, limitRows: points.count, ties: ties)
            let table = RankingRows(context, of: Samples.board(ties: ties)).scope(
                rows, ranks, leader: nil, before: before)
            guard case .list(let shown)? = table["rows"] else { return [] }
            return shown.map { scope in
                guard case .markup(let text)? = scope["to-next"] else { return "?" }
                return text.html
            }
        }
        #expect(gaps(.first, [50, 50, 40], before: 70) == ["21", "1", "11"])
        #expect(gaps(.shared, [50, 50, 40], before: 70) == ["20", "20", "10"])
        // The row above has the same points, so the next better ones are not on this page.
        #expect(gaps(.shared, [50, 40], before: 50) == ["", "10"])
    }

    @Test("the best part that a player is in is said in whole percent, and among few or in the lower half not at all")
    func top() {
        #expect(PlayerPage.topPercent(48, of: 505) == 10)
        #expect(PlayerPage.topPercent(1, of: 505) == 1)
        #expect(PlayerPage.topPercent(5, of: 10) == 50)
        #expect(PlayerPage.topPercent(6, of: 10) == nil && PlayerPage.topPercent(1, of: 9) == nil)
        #expect(PlayerPage.topPercent(.max, of: .max) == nil && PlayerPage.topPercent(1, of: .max) == 1)
    }

    @Test("a number for little room is cut off to a unit, and never says more than there is") func short() throws {
        let english = Language.english.numbers
        #expect(english.short(1_234_567, charactersMax: 9) == "1,234,567")
        #expect(english.short(12_345_678, charactersMax: 9) == "12.3M")
        #expect(english.short(999_999_999, charactersMax: 9) == "999M")
        #expect(english.short(18_014_398_509_481_982, charactersMax: 13) == "18,014T")
        #expect(english.short(-9_007_199_254_740_991, charactersMax: 13) == "−9,007T")
        let japanese = try #require(Language.find("ja")).numbers
        #expect(japanese.short(18_014_398_509_481_982, charactersMax: 13) == "1.8京")
        for language in Language.all {
            #expect(language.numbers.short(.max, charactersMax: 9).count < 60, "\(language.code)")
            #expect(language.numbers.short(9_007_199_254_740_991, charactersMax: 9).count <= 14, "\(language.code)")
        }
    }

    @Test("numbers, separators and wide units decide how much room a column gets") func widths() {
        func name(_ texts: [String]) -> String? {
            guard case .markup(let name) = NumberWidth.fill(texts) else { return nil }
            return name.html
        }
        #expect(name([]) == nil && name(["999,999"]) == nil)
        #expect(name(["1", "9,999,999"]) == "d10")
        #expect(name(["−9,007,199,254,740,991"]) == "d22")
        #expect(name(["12 点点点"]) == "d10")
        #expect(name([String(repeating: "9", count: 500)]) == "d40")
    }

    @Test("the curve of donations ends at the total, and no sum traps") func chart() throws {
        let first = try #require(Day(year: 2026, month: 9, day: 28))
        let growth = (0..<20).map { index in
            CharityGrowth.DayTotal(day: first.advanced(byDays: Int32(index * 3)), points: Int128(index + 1) * 1_000)
        }
        let chart = try #require(DonationChart(growth, goal: 600_000, today: first.advanced(byDays: 60), .english))
        guard case .scope(let scope) = chart.fill("Wells"), case .markup(let points)? = scope["points"] else {
            return #expect(Bool(false))
        }
        // 210,000 of 600,000 stand at 65 of 100 from the top.
        #expect(points.html.hasPrefix("0.00,100.00 ") && points.html.hasSuffix("100.00,65.00"))
        let huge = [CharityGrowth.DayTotal(day: first, points: .max), .init(day: first.advanced(byDays: 1), points: 1)]
        #expect(DonationChart(huge, goal: nil, today: first.advanced(byDays: 9), .english) == nil)
    }

    @Test("a bar shows progress, and past the goal the goal as a seam") func bars() {
        #expect(Bar.shareTenths(1, of: 3) == 333)
        #expect(Bar.shareTenths(.max, of: .max) == 1_000)
        guard case .scope(let scope) = Bar(progressTenths: 3_000).fill, case .markup(let width)? = scope["width"] else {
            return #expect(Bool(false))
        }
        #expect(width.html == "33.3")
    }

    @Test("weeks have the names that windows are asked for by") func weeks() throws {
        for offset in stride(from: Int32(-40_000), to: 40_000, by: 13) {
            let day = Day(daysSince1970: offset)
            for name in [day.isoWeekName, day.monthName, day.dayName] {
                let window = try #require(Window(name), "\(name)")
                #expect(window.days(today: day)?.contains(day) == true, "\(name)")
            }
        }
    }
}
