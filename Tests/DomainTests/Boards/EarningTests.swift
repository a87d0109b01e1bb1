import Domain
import Testing

@Suite struct EarningTests {
    @Test("a rule is read by its name") func good() {
        #expect(Earning("points") == .points)
        #expect(Earning("improvement") == .improvement)
        #expect(Earning("none") == Earning.none)
        #expect(Earning("fixed:0") == .fixed(0))
        #expect(Earning("fixed:10") == .fixed(10))
        #expect(Earning("fixed:9007199254740991") == .fixed(9_007_199_254_740_991))
    }

    @Test(
        "what is no rule is nil",
        arguments: [
            "", "Points", "points ", "fixed", "fixed:", "fixed: 5", "fixed:-1", "fixed:-0", "fixed:+5", "fixed:1.5",
            "fixed:9007199254740992", "fixed:9223372036854775808", "fixed:5x", "fixed:٣", "fixed:5\u{301}", "Fixed:5",
            "fixed5", "points:5",
        ]) func bad(text: String)
    { #expect(Earning(text) == nil) }

    @Test("a rule knows its name, and a fixed one its points") func parts() {
        for (text, rule, points) in [
            ("points", "points", nil), ("improvement", "improvement", nil), ("none", "none", nil),
            ("fixed:7", "fixed", 7),
        ] as [(String, String, Int64?)] {
            #expect(Earning(text)?.rule == rule)
            #expect(Earning(text)?.fixedPoints == points)
        }
    }

    @Test("playing worse never pays: only where high is good, and not just the latest counts, a score earns itself")
    func standard() {
        for policy in Board.Policy.allCases {
            #expect(Earning.standard(policy: policy, lowestFirst: true) == .none)
            #expect(Earning.standard(policy: policy, lowestFirst: false) == (policy == .latest ? .none : .points))
        }
    }
}
