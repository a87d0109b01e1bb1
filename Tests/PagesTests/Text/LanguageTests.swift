import Domain
import Testing

@testable import Pages

@Suite struct LanguageTests {
    @Test("every language has every text, in the plural forms that it needs, with the same placeholders")
    func complete() {
        let english = Language.english
        let counted = Set(english.texts.keys.filter { $0.hasSuffix(".other") }.map { $0.dropLast(6) })
        let plain = english.texts.keys.filter { key in
            !counted.contains { key.hasPrefix($0 + ".") && ["one", "other"].contains(key.dropFirst($0.count + 1)) }
        }
        for language in Language.all {
            let expected = Set(plain).union(counted.flatMap { key in language.plurals.forms.map { "\(key).\($0)" } })
            #expect(Set(language.texts.keys) == expected, "\(language.code)")
            for (key, text) in language.texts where !key.hasPrefix("date.") {
                let base = key.split(separator: ".").dropLast().joined(separator: ".")
                let model = english.texts[key] ?? english.texts[base + ".other"] ?? ""
                let isCounted = counted.contains(Substring(base))
                let (has, needs) = (Self.placeholders(text), Self.placeholders(model))
                // A form such as the Arabic dual says the number by its word.
                #expect(isCounted ? has.isSubset(of: needs) : has == needs, "\(language.code): \(key)")
            }
        }
        #expect(Language.all.map(\.code).sorted() == ["ar", "de", "en", "es", "fr", "ja"])
    }

    private static func placeholders(_ text: String) -> Set<String> {
        var names: Set<String> = []
        _ = Language.fill(text) { name in
            names.insert(name)
            return ""
        }
        return names
    }

    @Test(
        "numbers are written as each language writes them",
        arguments: [
            ("en", "1,234,567", "−12", "56.5%"), ("de", "1.234.567", "−12", "56,5\u{A0}%"),
            ("es", "1.234.567", "−12", "56,5\u{A0}%"), ("fr", "1\u{202F}234\u{202F}567", "−12", "56,5\u{202F}%"),
            ("ja", "1,234,567", "−12", "56.5%"),
        ]) func numbers(code: String, million: String, negative: String, percent: String) throws
    {
        let numbers = try #require(Language.find(code)).numbers
        #expect(numbers.text(1_234_567) == million)
        #expect(numbers.text(-12) == negative)
        #expect(numbers.percent(tenths: 565) == percent)
    }

    @Test("Arabic has digits of its own, and Spanish groups from five digits on") func digits() throws {
        let arabic = try #require(Language.find("ar")).numbers
        #expect(arabic.text(4_860) == "٤٬٨٦٠")
        let spanish = try #require(Language.find("es")).numbers
        #expect(spanish.text(4_860) == "4860")
        #expect(spanish.text(14_860) == "14.860")
    }

    @Test("no number traps") func extremes() {
        for language in Language.all {
            for number in [Int128.min, Int128.max, 0, -1] {
                for form in PointsDisplay.Form.allCases { #expect(!language.numbers.text(number, form).isEmpty) }
            }
            #expect(!language.numbers.percent(tenths: .min).isEmpty)
            #expect(!language.dates.time(Instant(microsecondsSince1970: .min)).isEmpty)
        }
    }

    @Test(
        "points are shown as the board says",
        arguments: [
            (53_157, PointsDisplay.Form.milliseconds, "0:53.157"), (83_000, .milliseconds, "1:23.000"),
            (3_723_004, .milliseconds, "1:02:03.004"), (83, .seconds, "1:23"), (3_723, .seconds, "1:02:03"),
            (-5, .seconds, "−0:05"), (83, .number, "83"),
        ]) func display(points: Int128, form: PointsDisplay.Form, expected: String)
    { #expect(Language.english.numbers.text(points, form) == expected) }

    @Test(
        "Arabic has six plural forms",
        arguments: [
            (0, "zero"), (1, "one"), (2, "two"), (3, "few"), (10, "few"), (11, "many"), (99, "many"), (100, "other"),
            (102, "other"), (103, "few"), (111, "many"), (1_000, "other"),
        ]) func plurals(number: Int128, form: String)
    { #expect(PluralRule.arabic.form(of: number) == form) }

    @Test("dates and times are in UTC") func dates() throws {
        let instant = try #require(Instant(rfc3339: "2026-11-21T21:42:33Z"))
        let day = instant.dayInUTC
        #expect(Language.english.dates.short(day) == "21 Nov 2026")
        #expect(Language.english.dates.long(day) == "21 November 2026")
        #expect(Language.english.dates.time(instant) == "21:42")
        #expect(try #require(Language.find("ja")).dates.long(day) == "2026年11月21日")
    }
}

@Suite struct MarkupTests {
    @Test("a character with a mark on it is escaped like the character") func marks() {
        // The library's own escaping compares whole characters, and lets these pass.
        #expect(Markup("\"\u{301}<\u{338}&\u{301}'\u{301}").html == "&quot;\u{301}&lt;\u{338}&amp;\u{301}&#39;\u{301}")
    }

    @Test("controls become U+FFFD, and line feeds stay") func controls() {
        #expect(Markup("a\u{0}b\u{1B}c\nd\u{7F}").html == "a\u{FFFD}b\u{FFFD}c\nd\u{FFFD}")
    }

    @Test("what stands in a placeholder is not filled again") func placeholders() {
        let line = Language.english.markup("find.nobody", ["name": Markup("{name}<b>")])
        #expect(line.html.contains("{name}&lt;b&gt;"))
    }
}
