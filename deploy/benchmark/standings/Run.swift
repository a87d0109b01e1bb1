import OrderStatistics
import TestDice

/// The measurements for one number of rows.
struct Run {
    let count: Int
    /// Number of repetitions of each operation that leaves the number of rows unchanged.
    private let steps = 1_000_000
    /// Number of distinct order keys: about four rows share each.
    private let keys: Int
    private var dice = Dice(seed: 1)

    init(count: Int) {
        self.count = count
        keys = max(1, count / 4)
    }

    consuming func go() {
        var rows: [RankedRow] = []
        rows.reserveCapacity(count)
        for id in 0..<count { rows.append(dice.row(id, keys: keys)) }
        rows.sort()
        // A first small set loads pages of code, which must not count as the set's memory.
        var set = RankedSet.of(Array(rows.prefix(1_000)))
        let before = Memory.residentBytes()
        let start = Clock.now()
        set = RankedSet.of(rows)
        report("linear build", Clock.now() - start, steps: count)
        report("after the build", of: set, since: before)
        read(set, "")
        move(&set)
        report("after \(steps) moves", of: set, since: before)
        read(set, " after moves")
        time("remove", count) { set.remove(Int64($0)) }
        insert(&set)
        report("after removing and inserting all", of: set, since: before)
        // The rows live until here, so that freeing them does not count as memory saved.
        reportMany(rows)
    }

    private mutating func read(_ set: borrowing RankedSet, _ when: String) {
        var sink: Int64 = 0
        var dice = dice
        time("find a player\(when)", steps) { _ in sink &+= set.find(dice.below(count))?.reachedAt ?? 0 }
        time("rank of a player\(when)", steps) { _ in
            sink &+= Int64(set.rankedPosition(of: dice.below(count))?.better ?? 0)
        }
        time("rank of points\(when)", steps) { _ in sink &+= Int64(set.counts(ofOrderKey: -dice.below(keys)).better) }
        time("neighbours(5)\(when)", steps) { _ in
            let position = set.rankedPosition(of: dice.below(count))?.position ?? 0
            set.forEach(from: position - 5, limit: 11) { sink &+= $0.orderKey }
        }
        time("top 50\(when)", steps) { _ in set.forEach(from: 0, limit: 50) { sink &+= $0.orderKey } }
        self.dice = dice
        // The result must be used, or the compiler would drop the work.
        if sink == 1 { print() }
    }

    private mutating func move(_ set: inout RankedSet) {
        var dice = dice
        time("move a little", steps) { _ in
            guard let old = set.find(dice.below(count)) else { return }
            set.set(RankedRow(orderKey: old.orderKey - dice.below(8), reachedAt: old.reachedAt, row: old.row))
        }
        time("move", steps) { _ in set.set(dice.row(Int(dice.below(count)), keys: keys)) }
        self.dice = dice
    }

    private mutating func insert(_ set: inout RankedSet) {
        var dice = dice
        var slowest = 0
        var last = Clock.now()
        let start = last
        for id in 0..<count {
            set.set(dice.row(id, keys: keys))
            let now = Clock.now()
            slowest = max(slowest, now - last)
            last = now
        }
        report("insert (with reading the clock)", last - start, steps: count)
        report("slowest insert", slowest, steps: 1)
        self.dice = dice
    }

    private func time(_ name: String, _ steps: Int, _ step: (Int) -> Void) {
        let start = Clock.now()
        for number in 0..<steps { step(number) }
        report(name, Clock.now() - start, steps: steps)
    }

    private func report(_ name: String, _ nanoseconds: Int, steps: Int) {
        print("\(name) (\(count))\t\(nanoseconds / steps)\tns")
    }

    /// Measures many sets together, because the memory of the process itself would hide that of one small set.
    private func reportMany(_ rows: [RankedRow]) {
        let copies = 1_000_000 / count
        guard copies > 1 else { return }
        let before = Memory.residentBytes()
        let sets = UnsafeMutablePointer<RankedSet>.allocate(capacity: copies)
        for copy in 0..<copies { (sets + copy).initialize(to: RankedSet.of(rows)) }
        let tenths = (Memory.residentBytes() - before) * 10 / (copies * count)
        print("bytes an entry of \(copies) sets (\(count))\t\(tenths / 10).\(abs(tenths % 10))\tB")
        sets.deinitialize(count: copies)
        sets.deallocate()
    }

    private func report(_ when: String, of set: borrowing RankedSet, since before: Int) {
        let resident = Memory.residentBytes() - before
        for (name, bytes) in [("bytes an entry", resident), ("allocatedBytes an entry", set.allocatedBytes)] {
            let tenths = bytes * 10 / count
            print("\(name) \(when) (\(count))\t\(tenths / 10).\(abs(tenths % 10))\tB")
        }
    }
}
