import Domain
import TestDice
import Testing

@testable import HTTPServer

@Suite struct EventBacklogTests {
    private func expect(
        _ backlog: inout EventBacklog, adds count: Int, _ expected: Bool, _ location: SourceLocation = #_sourceLocation
    ) {
        let isAdded = backlog.add(bytes: count)
        #expect(isAdded == expected, sourceLocation: location)
    }

    @Test("a client may be behind by the bound, and the first event may be larger") func bound() {
        var backlog = EventBacklog(of: nil)
        let bound = Limits.liveBacklogBytesMax
        expect(&backlog, adds: bound, true)
        expect(&backlog, adds: 1, false)
        backlog.sent(bytes: 1)
        expect(&backlog, adds: 1, true)
        #expect(backlog.bytes == bound)
        backlog.sent(bytes: bound)
        expect(&backlog, adds: bound + 1, true)
        expect(&backlog, adds: 1, false)
    }

    @Test("what is behind the first event is taken of the budget of all, and given back") func budget() {
        let budget = BacklogBudget(bytesMax: 100)
        var (one, other) = (EventBacklog(of: budget), EventBacklog(of: budget))
        expect(&one, adds: 80, true)
        expect(&other, adds: 80, true)
        #expect(budget.bytes == 0)
        expect(&one, adds: 60, true)
        expect(&other, adds: 60, false)
        #expect(budget.bytes == 60)
        one.sent(bytes: 80)
        one.sent(bytes: 60)
        #expect(budget.bytes == 0)
        expect(&other, adds: 60, true)
        other.clear()
        #expect(budget.bytes == 0 && other.bytes == 0)
    }

    @Test("whatever is added and sent, the budget is what is taken, and nothing when nobody is behind") func histories()
    {
        for seed in Dice.seeds(1...50) {
            var dice = Dice(seed: seed)
            let budget = BacklogBudget(bytesMax: 10_000)
            var backlogs = (0..<4).map { _ in EventBacklog(of: budget) }
            for _ in 0..<500 {
                let index = Int.random(in: 0..<backlogs.count, using: &dice)
                let count = Int.random(in: 1...2_000, using: &dice)
                if Bool.random(using: &dice) {
                    _ = backlogs[index].add(bytes: count)
                } else {
                    backlogs[index].sent(bytes: min(count, backlogs[index].bytes))
                }
                #expect((0...10_000).contains(budget.bytes), "SEED=\(seed)")
                #expect(budget.bytes <= backlogs.reduce(0) { $0 + $1.bytes }, "SEED=\(seed)")
            }
            for index in backlogs.indices { backlogs[index].sent(bytes: backlogs[index].bytes) }
            #expect(budget.bytes == 0, "SEED=\(seed)")
        }
    }
}
