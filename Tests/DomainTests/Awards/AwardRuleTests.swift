import Domain
import Testing

@Suite struct AwardRuleTests {
    private let board = Slug("maze")

    @Test("a rule is read from its fields, and written back as the same ones") func roundTrip() throws {
        let fields: [AwardRule.Fields] = [
            .init(kind: .points, atLeast: -5, board: board, season: 2, window: .day),
            .init(kind: .points, atLeast: 100, board: board, window: .season), .init(kind: .days, atLeast: 366),
            .init(kind: .streak, atLeast: 1, board: board), .init(kind: .given, atLeast: 1),
            .init(kind: .charities, atLeast: 10_000), .init(kind: .rank, atLeast: 1_000, board: board, season: 1),
            .init(kind: .rank, atLeast: 3, contest: board), .init(kind: .granted),
        ]
        for fields in fields { #expect(try AwardRule(fields).fields == fields) }
        #expect(Set(fields.map(\.kind)).count == AwardRule.Kind.allCases.count)
        // The window that is usual need not be named.
        #expect(
            try AwardRule(.init(kind: .points, atLeast: 1, board: board))
                == .points(board: try #require(board), season: nil, window: .season, atLeast: 1))
    }

    @Test("what a rule does not have, or lacks, is refused by the name of the field") func refusals() {
        let refused: [(AwardRule.Fields, String)] = [
            (.init(kind: .points, atLeast: 1), "board"), (.init(kind: .points, board: board), "at_least"),
            (.init(kind: .points, atLeast: .max, board: board), "at_least"),
            (.init(kind: .days, atLeast: 0), "at_least"), (.init(kind: .days, atLeast: 367), "at_least"),
            (.init(kind: .days, atLeast: 1, season: 1), "season"),
            (.init(kind: .streak, atLeast: 1, window: .day), "window"),
            (.init(kind: .given, atLeast: 1, board: board), "board"), (.init(kind: .given, atLeast: 0), "at_least"),
            (.init(kind: .charities, atLeast: 10_001), "at_least"), (.init(kind: .rank, atLeast: 1), "board"),
            (.init(kind: .rank, atLeast: 1_001, board: board), "at_least"),
            (.init(kind: .rank, atLeast: 1, board: board, season: 0), "season"),
            (.init(kind: .rank, atLeast: 1, board: board, contest: board), "contest"),
            (.init(kind: .rank, atLeast: 1, season: 1, contest: board), "contest"),
            (.init(kind: .rank, atLeast: 1_001, contest: board), "at_least"),
            (.init(kind: .points, atLeast: 1, contest: board), "contest"),
            (.init(kind: .granted, contest: board), "contest"), (.init(kind: .granted, atLeast: 1), "at_least"),
        ]
        for (fields, field) in refused {
            #expect { try AwardRule(fields) } throws: { ($0 as? FieldError)?.field == field }
        }
    }

    @Test("another rule begins anew, and the same one keeps what is not sent") func changes() throws {
        let before = AwardRule.points(board: try #require(board), season: 2, window: .day, atLeast: 7)
        #expect(try AwardRule.Fields(changing: before, to: nil) == before.fields)
        #expect(try AwardRule.Fields(changing: before, to: .points) == before.fields)
        #expect(try AwardRule.Fields(changing: before, to: .given) == .init(kind: .given))
        #expect(throws: FieldError.self) { try AwardRule.Fields(changing: nil, to: nil) }
    }

    @Test("days of the last year count, and a streak goes on until tomorrow") func progress() throws {
        func day(_ number: Int32) -> Day { Day(daysSince1970: number) }
        var progress = AwardProgress()
        progress.days[nil] = ([634, 635, 997, 998, 999].map { day($0) }, today: day(1_000))
        #expect(progress.have(.days(board: nil, atLeast: 9)) == 4)
        #expect(progress.have(.streak(board: nil, atLeast: 9)) == 3)
        progress.days[nil]?.today = day(1_001)
        #expect(progress.have(.streak(board: nil, atLeast: 9)) == 0)
        #expect(progress.have(.days(board: board, atLeast: 9)) == nil)
        let rule = AwardRule.points(board: try #require(board), season: nil, window: .day, atLeast: 9)
        #expect(progress.have(rule) == nil)
        progress.points[rule.fields.place] = 4
        #expect(progress.have(rule) == 4)
        (progress.given, progress.charities) = (5, 2)
        #expect(progress.have(.given(atLeast: 9)) == 5 && progress.have(.charities(atLeast: 9)) == 2)
        #expect(progress.have(.granted) == nil)
    }

    @Test("the text of an award is short and has no controls") func texts() throws {
        #expect(try AwardText("Reach 100 points.").description == "Reach 100 points.")
        for text in ["", " ", "a\nb", String(repeating: "a", count: 2_001)] {
            #expect(throws: FieldError.self) { try AwardText(text) }
        }
    }
}
