import Domain
import TestDice
import Testing

@Suite struct PlanSplitTests {
    /// Runs a plan again and again, and what it owes each line in between.
    private static func runs(_ shares: [Int32], _ points: [Int64]) -> (given: [[Int64]], owed: [Int64]) {
        var lines = shares.map { PlanLine(share: $0) }
        var given: [[Int64]] = []
        for points in points {
            let split = PlanSplit(points, among: lines)
            let owed = split.owed(by: lines, given: split.points)
            lines = zip(shares, owed).map { PlanLine(share: $0, owed: $1) }
            given.append(split.points)
        }
        return (given, lines.map(\.owed))
    }

    @Test("plans give what the published vectors say") func vectors() {
        #expect(Self.runs([60, 40], [1, 1, 1, 1, 1]).given == [[1, 0], [0, 1], [1, 0], [0, 1], [1, 0]])
        #expect(Self.runs([50, 30, 20], [7, 7, 6]).given == [[4, 2, 1], [3, 2, 2], [3, 2, 1]])
        let thirds = Self.runs([3_333, 3_333, 3_334], [10, 10, 10])
        #expect(thirds.given == [[3, 3, 4], [4, 3, 3], [3, 4, 3]])
        #expect(thirds.owed == [-10, -10, 20])
    }

    @Test("no line is ever two points off, and a plan gives all it splits", arguments: Dice.seeds(1, 2, 3))
    func neverTwoOff(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        for _ in 0..<300 {
            let highest: Int32 = dice.percent(50) ? 10_000 : 5
            let shares = (0..<Int.random(in: 1...20, using: &dice)).map { _ in
                Int32.random(in: 1...highest, using: &dice)
            }
            let whole = shares.reduce(0) { $0 + Int128($1) }
            var lines = shares.map { PlanLine(share: $0) }
            var (all, given) = (Int128(0), shares.map { _ in Int128(0) })
            for _ in 0..<60 {
                let points = dice.percent(5) ? 9_007_199_254_740_991 : Int64.random(in: 0...30, using: &dice)
                let split = PlanSplit(points, among: lines)
                #expect(split.points.allSatisfy { $0 >= 0 } && split.skipped.allSatisfy { $0 == nil })
                #expect(split.points.reduce(0, +) == points)
                all += Int128(points)
                for index in given.indices { given[index] += Int128(split.points[index]) }
                let owed = split.owed(by: lines, given: split.points)
                // What a line has, against its exact share of everything.
                for (index, share) in shares.enumerated() {
                    let off = Int128(share) * all - whole * given[index]
                    #expect(off == Int128(owed[index]))
                    #expect(off < 2 * whole && off > -2 * whole, "\(shares) after \(all)")
                }
                lines = zip(shares, owed).map { PlanLine(share: $0, owed: $1) }
            }
        }
    }

    @Test("a line that takes nothing leaves its share in the wallet, and what is owed stays") func leftOut() {
        let closed = [PlanLine(share: 60, owed: 20), PlanLine(share: 40, owed: -20, skip: .charityClosed)]
        let split = PlanSplit(10, among: closed)
        #expect(split.points == [6, 0])
        #expect(split.skipped == [nil, .charityClosed])
        #expect(split.owed(by: closed, given: split.points) == [20, -20])
        #expect(PlanSplit(1, among: closed).points == [0, 0])
        let none = PlanSplit(10, among: [PlanLine(share: 1, skip: .charityClosed)])
        #expect(none.points == [0])
    }

    @Test("a line gets nothing beyond the cap of its charity, and all of what is within it") func capped() {
        let lines = [PlanLine(share: 50, room: 4), PlanLine(share: 50, room: 5)]
        #expect(PlanSplit(10, among: lines).points == [0, 5])
        #expect(PlanSplit(10, among: lines).skipped == [.capReached, nil])
        #expect(PlanSplit(8, among: lines).points == [4, 4])
        #expect(PlanSplit(8, among: lines).skipped == [nil, nil])
        // The second line has no room for the point that it gets when the first one is left out.
        let twice = [PlanLine(share: 1, room: 0), PlanLine(share: 1, owed: -3, room: 0), PlanLine(share: 1, owed: 3)]
        #expect(PlanSplit(4, among: twice).points == [0, 0, 1])
        #expect(PlanSplit(4, among: twice).skipped == [.capReached, .capReached, nil])
    }

    @Test("a line that did not get its points leaves what is owed as it is") func notGiven() {
        let lines = [PlanLine(share: 60, owed: 40), PlanLine(share: 40, owed: -40)]
        let split = PlanSplit(1, among: lines)
        #expect(split.points == [1, 0])
        #expect(split.owed(by: lines, given: [0, 0]) == [40, -40])
        #expect(split.owed(by: lines, given: [1, 0]) == [0, 0])
    }

    @Test("whatever lines say, the split has one number of each, and no trap") func doesNotTrap() {
        for owed in [Int64.min, -1, 1, .max] {
            let lines = [PlanLine(share: 10_000, owed: owed), PlanLine(share: 10_000, owed: .max)]
            let split = PlanSplit(.max, among: lines)
            #expect(split.points.count == 2)
            #expect(split.owed(by: lines, given: split.points).count == 2)
        }
    }

    @Test("a plan has 1 to 20 lines, one for each charity, in the order of their slugs") func terms() throws {
        func terms(_ slugs: [String]) throws -> PlanTerms {
            try PlanTerms(
                shares: slugs.map { PlanShare(charity: try #require(Slug($0)), share: 1) }, field: "shares",
                interval: .day, keep: 0, isAnonymous: false)
        }
        #expect(
            try terms(["water", "books", "b-2", "b2"]).shares.map(\.charity.description) == [
                "b-2", "b2", "books", "water",
            ])
        #expect(throws: FieldError.self) { try terms([]) }
        #expect(throws: FieldError.self) { try terms(["water", "water"]) }
        #expect(throws: FieldError.self) { try terms((0...20).map { "c\($0)" }) }
        #expect(try terms((0..<20).map { "c\($0)" }).shares.count == 20)
    }
}
