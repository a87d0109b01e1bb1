import Contract
import Foundation
import TestDice
import Testing

@testable import CauseboardClient

/// A state with a field of each kind.
struct Progress: Mergeable {
    var level = Greatest(1)
    var skin = Newest("plain", device: "none", at: Date(timeIntervalSince1970: 0))
    var coins = DeviceSum()
    var badges = GrowingSet<String>()

    func merged(with other: Progress) -> Progress {
        Progress(
            level: level.merged(with: other.level), skin: skin.merged(with: other.skin),
            coins: coins.merged(with: other.coins), badges: badges.merged(with: other.badges))
    }

    /// One thing that a player does on a device.
    mutating func play(_ device: String, _ dice: inout Dice) {
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: level.raise(to: Int.random(in: 1...9, using: &dice))
        case 1:
            // Clocks are wrong by anything, and often agree to the millisecond.
            let clock = Date(timeIntervalSince1970: Double(Int.random(in: -2...2, using: &dice)))
            skin.set(dice.pick(["red", "blue", "green"]), device: device, at: clock)
        case 2: coins.add(Int64.random(in: -2...5, using: &dice), device: device)
        default: badges.insert(dice.pick(["a", "b", "c", "d"]))
        }
    }

    static func random(_ dice: inout Dice) -> Progress {
        var progress = Progress()
        // A copied device has the same name on both sides.
        for _ in 0..<Int.random(in: 0...6, using: &dice) { progress.play(dice.pick(["one", "two"]), &dice) }
        return progress
    }
}

@Suite struct MergeableTests {
    @Test("merging is commutative, idempotent and associative", arguments: Dice.seeds(1...20)) func laws(seed: UInt64) {
        var dice = Dice(seed: seed)
        for _ in 0..<100 {
            let (a, b, c) = (Progress.random(&dice), Progress.random(&dice), Progress.random(&dice))
            #expect(a.merged(with: a) == a, "seed \(seed)")
            #expect(a.merged(with: b) == b.merged(with: a), "seed \(seed)")
            #expect(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)), "seed \(seed)")
        }
    }

    @Test("devices that meet in any order end alike, with all that was done", arguments: Dice.seeds(1...20))
    func convergence(seed: UInt64) {
        var dice = Dice(seed: seed)
        let devices = ["one", "two", "three"]
        var states = devices.map { _ in Progress() }
        var (greatest, coins, badges) = (1, Int64(0), Set<String>())
        for _ in 0..<60 {
            let one = Int.random(in: 0..<3, using: &dice)
            if dice.percent(30) {
                states[one] = states[one].merged(with: dice.pick(states))
                continue
            }
            let before = states[one]
            states[one].play(devices[one], &dice)
            greatest = max(greatest, states[one].level.value)
            coins += states[one].coins.sum - before.coins.sum
            badges.formUnion(states[one].badges.members)
        }
        let ends = [[0, 1, 2], [2, 1, 0], [1, 0, 2, 1, 0]].map { order in
            order.dropFirst().reduce(states[order[0]]) { $0.merged(with: states[$1]) }
        }
        #expect(ends.allSatisfy { $0 == ends[0] }, "seed \(seed)")
        #expect(ends[0].level.value == greatest && ends[0].coins.sum == coins && ends[0].badges.members == badges)
    }

    @Test("what was set after another value was seen counts, also by a clock that is behind") func behind() {
        var tablet = Newest("red", device: "tablet", at: Date(timeIntervalSince1970: 1_000_000))
        var phone = tablet
        phone.set("blue", device: "phone", at: Date(timeIntervalSince1970: 5))
        #expect(tablet.merged(with: phone).value == "blue")
        tablet.set("green", device: "tablet", at: Date(timeIntervalSince1970: 2_000_000))
        #expect(tablet.merged(with: phone).value == "green")
    }

    @Test("of two sets that a copied device set at once the same one counts everywhere", arguments: Dice.seeds(1...20))
    func sets(seed: UInt64) {
        var dice = Dice(seed: seed)
        func copy(_ members: [Int]) -> Newest<Set<Int>> {
            // The order in which a set has its members depends on how it came about.
            var set = Set<Int>(minimumCapacity: Int.random(in: 1...500, using: &dice))
            for member in members.shuffled(using: &dice) { set.insert(member) }
            return Newest(set, device: "one", at: Date(timeIntervalSince1970: 0))
        }
        let (one, other) = (Array(1...9), Array(2...10))
        let merged = (1...20).map { _ in copy(one).merged(with: copy(other)).value }
        #expect(Set(merged).count == 1, "seed \(seed)")
        #expect(copy(other).merged(with: copy(one)).value == merged[0], "seed \(seed)")
        let (ab, ba) = (
            Newest([1, 2], device: "", at: Date.distantPast), Newest([2, 1], device: "", at: .distantPast)
        )
        #expect(ab.merged(with: ba) == ba.merged(with: ab))
    }

    @Test("the value with which a device begins takes no place of one that another device set before") func beginning()
    {
        var phone = Newest("none")
        phone.set("blue", device: "phone", at: Date(timeIntervalSince1970: -5))
        #expect(Newest("none").merged(with: phone).value == "blue")
        #expect(phone.merged(with: Newest("none")).value == "blue")
        #expect(Newest("none") == Newest("none"))
    }

    @Test("a date that is no number is one") func noDate() {
        let never = Date(timeIntervalSince1970: .nan)
        var newest = Newest(1, device: "one", at: never)
        newest.set(2, device: "one", at: Date(timeIntervalSince1970: -.infinity))
        #expect(newest.setAt == 1)
        #expect(Timestamp(never) == Timestamp(microsecondsSince1970: 0))
        #expect(Timestamp(Date(timeIntervalSince1970: .infinity)).text.hasPrefix("9999-12-31"))
    }

    @Test("parts that somebody made up overflow nothing") func madeUpParts() throws {
        let least = #"{"parts":{"one":-9223372036854775808,"two":-9223372036854775808,"three":5}}"#
        var sum = try JSONDecoder().decode(DeviceSum.self, from: Data(least.utf8))
        #expect(sum.sum == 5)
        sum.add(1, device: "one")
        #expect(sum.merged(with: sum).sum == 5)
    }

    @Test("sums stop at what 64 bits hold") func bounds() {
        var sum = DeviceSum()
        sum.add(.max, device: "one")
        sum.add(.max, device: "one")
        sum.add(1, device: "two")
        sum.add(.min, device: "two")
        #expect(sum.sum == .max)
        #expect(sum.parts == ["one": .max, "two": 1])
    }
}
