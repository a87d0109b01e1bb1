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

    @Test("10,000 random splits by shares are those of the model", arguments: Dice.seeds(1)) func randomShares(
        _ seed: UInt64
    ) {
        var dice = Dice(seed: seed)
        for round in 0..<10_000 {
            let total = dice.percent(5) ? Int64.max : Int64.random(in: 0...1_000, using: &dice)
            var shares = (0..<Int.random(in: 1...8, using: &dice)).map { _ in Int64.random(in: 0...50, using: &dice) }
            shares[0] += 1
            let targets = shares.map { Int128($0) * Int128(total) }
            let model = Self.model(total, targets, Int128(shares.reduce(0, +)))
            #expect(Allotment.split(total, byShares: shares) == model, "round \(round): \(total) by \(shares)")
        }
    }

    @Test("10,000 random splits by targets are those of the model", arguments: Dice.seeds(2)) func randomTargets(
        _ seed: UInt64
    ) {
        var dice = Dice(seed: seed)
        for round in 0..<10_000 {
            let denominator = Int64.random(in: 1...40, using: &dice)
            let total = Int64.random(in: 0...20, using: &dice)
            var targets = (0..<Int.random(in: 1...8, using: &dice)).map { _ in
                Int128(Int64.random(in: -2 * denominator...4 * denominator, using: &dice))
            }
            targets[0] += Int128(denominator * total) - targets.reduce(0, +)
            guard targets[0] >= -Int128(denominator) * Int128(targets.count) else { continue }
            let model = Self.model(total, targets, Int128(denominator))
            #expect(
                Allotment.split(total, byTargets: targets, over: denominator) == model,
                "round \(round): \(total) by \(targets) over \(denominator)")
        }
    }

    /// Gives or takes one at a time. What a party misses is its target without what it has, so that the one that misses
    /// the most is the one with the largest rest.
    private static func model(_ total: Int64, _ targets: [Int128], _ denominator: Int128) -> [Int64] {
        var parts = targets.map { target in
            // Division of what is not negative rounds down.
            target < 0 ? 0 : target / denominator
        }
        func misses(_ index: Int) -> Int128 { targets[index] - denominator * parts[index] }
        var hasGained = parts.map { _ in false }
        while parts.reduce(0, +) < Int128(total) {
            var best: Int?
            for index in parts.indices where !hasGained[index] {
                if let found = best, misses(found) >= misses(index) { continue }
                best = index
            }
            guard let best else { return [] }
            parts[best] += 1
            hasGained[best] = true
        }
        while parts.reduce(0, +) > Int128(total) {
            var worst: Int?
            for index in parts.indices where parts[index] > 0 {
                if let found = worst, misses(found) < misses(index) { continue }
                worst = index
            }
            guard let worst else { return [] }
            parts[worst] -= 1
        }
        return parts.map { Int64(clamping: $0) }
    }
}
