import Testing

@testable import Domain

@Suite struct CountryFlagTests {
    @Test(
        "codes of countries and regions are flags, and no other text is", arguments: ["DE", "DE-BE", "GB-ENG", "AD-02"])
    func codes(_ code: String) throws {
        let flag = try #require(CountryFlag(code))
        #expect("\(flag)" == code && flag.isRegion == (code.utf8.count > 2))
        #expect("\(flag.country)" == code.prefix(2) && flag.counts(for: flag.country) && flag.counts(for: flag))
        #expect(flag.country.counts(for: flag) == !flag.isRegion)
    }

    @Test(arguments: [
        "", "D", "de", "De", "DE-", "DE-XX", "XX", "EU", "DE-be", "DEBE", "DE-BERLIN", "DE_BE", " DE", "DE\0",
        "D\u{C4}", "DE-BE-X", "🇩🇪", "AD-2", String(repeating: "A", count: 100_000),
    ]) func refused(_ text: String) { #expect(CountryFlag(text) == nil) }

    @Test("every code of the list is read, in the order of texts") func all() {
        let texts = CountryFlag.all.map(\.description)
        #expect(texts.count > 5_000 && Set(texts).count == texts.count)
        #expect(texts == texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        for flag in CountryFlag.all { #expect(CountryFlag(flag.description) == flag) }
    }
}
