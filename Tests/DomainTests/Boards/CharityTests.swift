import Domain
import Testing

@Suite struct CharityTests {
    private func tenths(_ points: Int128, goal: Int64?) -> Int128? {
        Charity(
            id: 1, slug: "whales", name: "Whales", points: points, contributors: 1, reachedAt: nil, goal: goal,
            url: nil, description: nil, opensAt: nil, closesAt: nil, isFinal: false
        ).progressTenths
    }

    @Test("progress is in tenths of a percent, cut off") func cutOff() {
        #expect(tenths(0, goal: 3) == 0)
        #expect(tenths(1, goal: 3) == 333)
        #expect(tenths(2, goal: 3) == 666)
        #expect(tenths(999_999, goal: 1_000_000) == 999)
        #expect(tenths(1_000_000, goal: 1_000_000) == 1_000)
        #expect(tenths(2_500, goal: 1_000) == 2_500)
    }

    @Test("without a goal there is no progress") func noGoal() {
        #expect(tenths(5, goal: nil) == nil)
        #expect(tenths(.max, goal: nil) == nil)
    }

    @Test("a goal below 1 counts as 1") func badGoals() {
        for goal in [0, -1, .min] as [Int64] { #expect(tenths(7, goal: goal) == 7_000) }
    }

    @Test("progress past 64 bits is exact") func wide() {
        let goals: Int128 = Int128(Int64.max) + 1
        #expect(tenths(Int128(Int64.max), goal: .max) == 1_000)
        #expect(tenths(goals, goal: 1_000) == goals)
        #expect(tenths(goals, goal: 1) == goals * 1_000)
        #expect(tenths(goals * 3 + 1, goal: 2) == (goals * 3 + 1) * 500)
        // A thousand times these points have more than 128 bits, and their progress has not.
        #expect(tenths(.max, goal: 1_000) == .max)
        #expect(tenths(.max, goal: .max) == 18_446_744_073_709_551_618_000)
    }

    @Test("progress past 128 bits is absent, and nothing traps") func extremes() {
        for points in [.max, .min, .max / 1_000 + 1, .min / 1_000 - 1] as [Int128] {
            #expect(tenths(points, goal: 1) == nil)
        }
        #expect(tenths(.max / 1_000, goal: 1) == Int128.max / 1_000 * 1_000)
        #expect(tenths(.min / 1_000, goal: 1) == Int128.min / 1_000 * 1_000)
        #expect(tenths(.min, goal: 1_000) == .min)
    }
}
