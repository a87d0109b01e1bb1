import Domain
import Testing

@Suite struct CharityTests {
    private func tenths(_ points: Int128, goal: Int64?) -> Int64? {
        Charity(
            id: 1,
            slug: "whales",
            name: "Whales",
            points: points,
            contributors: 1,
            reachedAt: nil,
            goal: goal,
            url: nil,
            description: nil,
            opensAt: nil,
            closesAt: nil,
            isFinal: false
        )
        .progressTenths
    }

    @Test("progress is in tenths of a percent, cut off")
    func cutOff() {
        #expect(tenths(0, goal: 3) == 0)
        #expect(tenths(1, goal: 3) == 333)
        #expect(tenths(2, goal: 3) == 666)
        #expect(tenths(999_999, goal: 1_000_000) == 999)
        #expect(tenths(1_000_000, goal: 1_000_000) == 1_000)
        #expect(tenths(2_500, goal: 1_000) == 2_500)
    }

    @Test("without a goal there is no progress")
    func noGoal() {
        #expect(tenths(5, goal: nil) == nil)
        #expect(tenths(.max, goal: nil) == nil)
    }

    @Test("a goal below 1 counts as 1")
    func badGoals() {
        for goal in [0, -1, .min] as [Int64] { #expect(tenths(7, goal: goal) == 7_000) }
    }

    @Test("progress past 64 bits stops at their end instead of trapping")
    func extremes() {
        for goal in [1, 1_000, .max] as [Int64] {
            #expect(tenths(.max, goal: goal) == .max)
            #expect(tenths(.min, goal: goal) == .min)
            // At these points 1,000 times the points is just within and just past 128 bits.
            #expect(tenths(.max / 1_000, goal: goal) == .max)
            #expect(tenths(.max / 1_000 + 1, goal: goal) == .max)
            #expect(tenths(.min / 1_000, goal: goal) == .min)
            #expect(tenths(.min / 1_000 - 1, goal: goal) == .min)
        }
        #expect(tenths(Int128(Int64.max), goal: .max) == 1_000)
        #expect(tenths(Int128(Int64.max) + 1, goal: 1_000) == .max)
    }
}
