import Domain
import Testing

@testable import Pages

@Suite struct CampaignPageTests {
    @Test(
        "the countdown says in words when a campaign begins and ends",
        arguments: [
            ("en", -9, "Starts on 21 November 2026, in 9 days"), ("en", -1, "Starts tomorrow"),
            ("en", 0, "4 days left"), ("en", 2, "2 days left"),
            ("en", 3, "Ends tonight at midnight (America/New York)"), ("en", 4, "Ended on 24 November 2026"),
            ("de", 2, "Noch 2 Tage"), ("de", 3, "Endet heute um Mitternacht (America/New York)"),
            ("de", -2, "Beginnt am 21. November 2026, in 2 Tagen"), ("es", 1, "Quedan 3 días"),
            ("fr", -1, "Commence demain"), ("fr", 4, "Terminée le 24 novembre 2026"), ("ja", 0, "残り4日"),
            ("ja", 3, "本日24時に終了（America/New York）"), ("ar", 2, "بقي يومان"), ("ar", 1, "بقيت ٣ أيام"),
            ("ar", -11, "تبدأ في ٢١ نوفمبر ٢٠٢٦، بعد ١١ يومًا"),
        ]) func countdown(code: String, offset: Int32, expected: String) throws
    {
        let first = try #require(Day(year: 2026, month: 11, day: 21))
        let last = first.advanced(byDays: 3)
        let state: Campaign.State = offset < 0 ? .coming : offset > 3 ? .over : .open
        let shown = Samples.campaign(
            "Winter", state, on: first.advanced(byDays: offset), from: first, until: last, zone: "America/New_York")
        #expect(shown.countdown(in: try #require(Language.find(code))) == expected)
    }

    @Test("open campaigns come first and the next to end leads; then those that come, then those that are over")
    func order() throws {
        func campaign(_ slug: String, _ hours: Range<Int64>) throws -> Campaign {
            let ends = [hours.lowerBound, hours.upperBound].map { Samples.instant.advanced(bySeconds: $0 * 3_600) }
            return Campaign(
                slug: try #require(Slug(slug)), name: slug, text: nil, subject: .charity(.overall),
                days: Samples.today...Samples.today, span: ends[0]..<ends[1], goal: nil, cohortSize: nil,
                milestones: [], version: "1")
        }
        let all = try [
            campaign("over-long-ago", -90..<(-60)), campaign("later", 20..<40), campaign("ends-last", -5..<50),
            campaign("over", -30..<0), campaign("next", 10..<90), campaign("ends-first", -1..<1),
        ]
        let sorted = CampaignsPage.sorted(all, at: Samples.instant).map(\.slug.description)
        #expect(sorted == ["ends-first", "ends-last", "next", "later", "over", "over-long-ago"])
    }

    @Test("the bar has a notch for each milestone, also past the goal") func bar() {
        func marks(_ points: Int128) -> [String] {
            guard case .scope(let bar)? = Samples.campaign(points: points).bar, case .list(let marks)? = bar["marks"]
            else { return [] }
            return marks.compactMap { if case .markup(let x)? = $0["x"] { x.html } else { nil } }
        }
        // The goal is 40.
        #expect(marks(15) == ["25.0", "50.0", "75.0"])
        #expect(marks(400) == ["2.5", "5.0", "7.5"])
        #expect(marks(.max).isEmpty)
    }

    @Test("milestones show when they were reached or what they lack; a campaign over scores has none") func milestones()
        throws
    {
        let context = PageContext(language: .english, isLanguageChosen: false, publicURL: nil)
        let pages = Samples.pages(name: "Ada", in: context).mapValues { String(decoding: $0, as: UTF8.self) }
        let page = try #require(pages["campaign"])
        #expect(page.contains("Reached on 21 November 2026, 12:00") && page.contains("5 to go."))
        #expect(page.contains("To the next milestone"))
        let board = try #require(pages["campaign over a board"])
        #expect(!board.contains("Milestones") && !board.contains("plates") && board.contains("Starts on"))
        #expect(board.contains("data-live=\"/v1/campaigns/default/live\""))
    }

    @Test("the navigation links to campaigns if there are any") func navigation() throws {
        for hasCampaigns in [false, true] {
            let context = PageContext(
                language: .english, isLanguageChosen: false, publicURL: nil, hasCampaigns: hasCampaigns)
            let html = try #require(Samples.pages(name: "Ada", in: context)["privacy"])
            #expect(String(decoding: html, as: UTF8.self).contains("href=\"/campaigns\"") == hasCampaigns)
        }
    }

    @Test("a board of many seasons lists the newest ones and the one shown, and links to the others") func seasons()
        throws
    {
        let context = PageContext(language: .english, isLanguageChosen: false, publicURL: nil)
        let seasons = (951...1_000).reversed().map(Int32.init)
        let tools = Samples.seasons(seasons, shown: 7).tools(context)
        guard case .scope(let earlier)? = tools["earlier"], case .scope(let form)? = earlier["seasons"],
            case .list(let options)? = form["options"], case .markup(let older)? = form["older"]
        else { return #expect(Bool(false)) }
        let chosen = options.filter { if case .flag(true)? = $0["is-current"] { true } else { false } }
        #expect(options.count == 51 && chosen.count == 1)
        guard case .markup(let value)? = chosen.first?["value"] else { return #expect(Bool(false)) }
        #expect(value.html == "7" && older.html == "/games/maze/boards/lap/winners?season=950")
    }
}
