import Domain
import TestDice
import Testing

@Suite struct AllotmentTests {
    @Test(
        "shares are split by the largest remainder",
        arguments: [
            (10, [1, 1, 1], [4, 3, 3]), (5, [100, 101, 100, 100], [1, 2, 1, 1]), (9_999, [75, 25], [7_499, 2_500]),
            (100, [400, 0, 40, 20, 2], [87, 0, 9, 4, 0]), (22_000, [445_455, 9_091, 545_455], [9_800, 200, 12_000]),
            (1, [33, 66], [0, 1]),
            (9_007_199_254_740_991, [6_000, 4_000], [5_404_319_552_844_595, 3_602_879_701_896_396]),
            (0, [1, 2], [0, 0]), (3, [0, 0, 1], [0, 0, 3]),
        ] as [(Int64, [Int64], [Int64])]) func shares(_ total: Int64, _ shares: [Int64], _ parts: [Int64])
    { #expect(Allotment.split(total, byShares: shares) == parts) }

    @Test("a plan of 60 and 40 that gives one point a day is never two points off") func owed() {
        var owed: [Int128] = [0, 0]
        var given: [[Int64]] = []
        for _ in 0..<5 {
            let targets = [60 + owed[0], 40 + owed[1]]
            guard let parts = Allotment.split(1, byTargets: targets, over: 100) else { return #expect(Bool(false)) }
            owed = zip(targets, parts).map { $0 - 100 * Int128($1) }
            given.append(parts)
        }
        #expect(given == [[1, 0], [0, 1], [1, 0], [0, 1], [1, 0]])
    }

    @Test("what was given too much is taken back, from the later one of equal rests") func takenBack() {
        #expect(Allotment.split(2, byTargets: [-10, 15, 15], over: 10) == [0, 1, 1])
        #expect(Allotment.split(1, byTargets: [-20, 15, 15], over: 10) == [0, 1, 0])
        #expect(Allotment.split(0, byTargets: [-30, 15, 15], over: 10) == [0, 0, 0])
    }

    @Test("arguments without an answer have none, whatever they are") func refused() {
        #expect(Allotment.split(-1, byShares: [1]) == nil)
        #expect(Allotment.split(1, byShares: []) == nil)
        #expect(Allotment.split(1, byShares: [0, 0]) == nil)
        #expect(Allotment.split(1, byShares: [2, -1]) == nil)
        #expect(Allotment.split(1, byShares: [.max, 1]) == nil)
        #expect(Allotment.split(.max, byShares: [.max]) == [.max])
        #expect(Allotment.split(1, byTargets: [1], over: 0) == nil)
        #expect(Allotment.split(1, byTargets: [3], over: 2) == nil)
        #expect(Allotment.split(1, byTargets: [.max, .max], over: 2) == nil)
        #expect(Allotment.split(1, byTargets: [-100, 102], over: 2) == nil)
    }

    @Test("of many random ones each part is its target without a fraction, or one more") func random() {
        var dice = Dice(seed: 7)
        for _ in 0..<10_000 {
            let total = Int64.random(in: 0...1_000, using: &dice)
            var shares = (0..<Int.random(in: 1...8, using: &dice)).map { _ in Int64.random(in: 0...50, using: &dice) }
            shares[0] += 1
            let sum = shares.reduce(0, +)
            guard let parts = Allotment.split(total, byShares: shares) else { return #expect(Bool(false)) }
            #expect(parts.reduce(0, +) == total)
            let more = zip(shares, parts).map { share, part in part - share * total / sum }
            #expect(more.allSatisfy { $0 == 0 || $0 == 1 })
            // Nobody gained with a smaller rest than somebody who did not.
            let rests = shares.map { $0 * total % sum }
            for (one, other) in more.indices.flatMap({ one in more.indices.map { (one, $0) } }) {
                #expect(more[one] <= more[other] || (rests[one], other) >= (rests[other], one))
            }
        }
    }
}
