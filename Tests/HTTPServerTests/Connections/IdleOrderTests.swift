import TestDice
import Testing

@testable import HTTPServer

@Suite struct IdleOrderTests {
    @Test("the longest idle member is the one of a plain list, in random histories") func model() {
        for seed in Dice.seeds(1...100) {
            var dice = Dice(seed: seed)
            var order = IdleOrder<Int>()
            var model: [Int] = []
            var places: [Int: Int] = [:]
            var membersCount = 0
            for _ in 0..<400 {
                let (member, place) = places.randomElement(using: &dice) ?? (0, 0)
                switch Int.random(in: 0..<5, using: &dice) {
                case 0, 1:
                    membersCount += 1
                    places[membersCount] = order.add(membersCount)
                    model.append(membersCount)
                case 2 where !places.isEmpty:
                    order.becameIdle(place)
                    model.removeAll { $0 == member }
                    model.append(member)
                case 3 where !places.isEmpty:
                    order.becameBusy(place)
                    model.removeAll { $0 == member }
                case 4 where !places.isEmpty:
                    order.remove(place)
                    model.removeAll { $0 == member }
                    places[member] = nil
                default: break
                }
                #expect(order.longestIdle == model.first, "SEED=\(seed)")
            }
        }
    }

    @Test("members that are removed leave no place behind") func reuse() {
        var order = IdleOrder<Int>()
        var largest = 0
        for number in 0..<1_000 {
            let (one, two) = (order.add(number), order.add(number))
            largest = max(largest, one, two)
            order.remove(one)
            order.remove(two)
        }
        #expect(largest == 2)
        #expect(order.longestIdle == nil)
    }
}
