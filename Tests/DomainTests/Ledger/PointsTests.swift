import Domain
import TestDice
import Testing

@Suite struct PointsTests {
    private func read(_ text: String) -> Int64? { try? Points.whole(text, field: "points") }

    @Test("digits are points, with a minus if they are negative") func good() {
        for (text, points) in [
            ("0", 0), ("1500", 1_500), ("-7", -7), ("-0", 0), ("007", 7), ("-007", -7),
            ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            (String(repeating: "0", count: 400) + "5", 5),
        ] as [(String, Int64)] { #expect(read(text) == points, "\(text)") }
    }

    @Test("every number of 64 bits is read back", arguments: Dice.seeds(9)) func roundTrip(seed: UInt64) {
        var dice = Dice(seed: seed)
        for _ in 0..<2_000 {
            let points = Int64.random(in: .min ... .max, using: &dice) >> Int64.random(in: 0..<64, using: &dice)
            #expect(read(String(points)) == points)
        }
    }

    @Test(
        "a number beyond 64 bits is refused, never wrapped or clamped",
        arguments: [
            "9223372036854775808", "-9223372036854775809", "18446744073709551616", "18446744073709551621",
            String(repeating: "9", count: 400),
        ]) func beyond(text: String)
    { #expect(throws: FieldError.self) { try Points.whole(text, field: "points") } }

    @Test(
        "what is not digits is refused",
        arguments: [
            "", " ", "-", "+", "+5", "--5", "-+5", " 5", "5 ", "5\n", "1 000", "1,000", "1.5", "10.0", "1e3", "0x10",
            "NaN", "inf", "abc", "5a", "1_000", "٣", "５", "१२", "\u{2212}5", "5\0", "5\u{301}", "²", "Ⅴ",
        ]) func bad(text: String)
    { #expect(throws: FieldError.self) { try Points.whole(text, field: "points") } }

    @Test("the error names the field and does not repeat the text") func error() throws {
        let error = try #require(throws: FieldError.self) { try Points.whole("secret", field: "donated_points") }
        #expect(error.field == "donated_points")
        #expect(error.kind == .field)
        #expect(error.description.contains("donated_points"))
        #expect(!error.description.contains("secret"))
    }
}
