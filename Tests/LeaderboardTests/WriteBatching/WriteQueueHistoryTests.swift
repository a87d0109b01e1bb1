import Domain
import Storage
import TestDice
import Testing

@testable import Leaderboard

/// Random histories of a queue with narrow bounds, so that each of its rules applies in them.
@Suite struct WriteQueueHistoryTests {
    /// A model of the queue whose rules are easy to read: each turn looks at every write again.
    struct ModelQueue {
        let bounds: WriteQueue<NumberedWrite>.Bounds
        var waiting: [NumberedWrite] = []
        var deferred: [NumberedWrite] = []
        var leftOut: NumberedWrite?
        var committingSince: ContinuousClock.Instant?

        mutating func add(_ write: NumberedWrite) -> Bool {
            let own = waiting.filter { $0.caller == write.caller }
            let waits = [own.first, leftOut].map { $0.map { write.arrivedAt - $0.arrivedAt } ?? .zero }
            let commit = committingSince.map { write.arrivedAt - $0 } ?? .zero
            let bytesCount = (waiting + [write]).reduce(0) { $0 + $1.bytesCount }
            guard waiting.count < bounds.rowsMax, bytesCount <= bounds.bytesMax, own.count < bounds.rowsOfCallerMax,
                waits.allSatisfy({ $0 <= bounds.waitMax }), commit <= bounds.commitMax
            else { return false }
            waiting.append(write)
            return true
        }

        mutating func batch(now: ContinuousClock.Instant) -> [NumberedWrite]? {
            var (batch, staying) = (deferred, [NumberedWrite]())
            (deferred, leftOut) = ([], nil)
            for write in waiting {
                let isFull = batch.count == bounds.batchRowsMax
                if isFull, leftOut == nil { leftOut = write }
                let hasCaller = batch.contains { $0.caller == write.caller }
                if isFull || hasCaller { staying.append(write) } else { batch.append(write) }
            }
            waiting = staying
            committingSince = batch.isEmpty ? nil : now
            return batch.isEmpty ? nil : batch
        }
    }

    @Test(
        "whatever happens, the queue does as the model, and every write is judged or given up once",
        arguments: Dice.seeds(1...30)
    )
    func anything(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let bounds = WriteQueue<NumberedWrite>.Bounds(
            rowsMax: 30,
            bytesMax: dice.pick([60, 10_000]),
            rowsOfCallerMax: 6,
            batchRowsMax: dice.pick([1, 4, 9, 40]),
            waitMax: .milliseconds(200),
            commitMax: .milliseconds(400),
            deferredMax: .milliseconds(900)
        )
        var (queue, model) = (WriteQueue<NumberedWrite>(bounds: bounds), ModelQueue(bounds: bounds))
        var underWay: [NumberedWrite] = []
        var (admitted, judged, givenUp) = ([NumberedWrite](), [NumberedWrite](), [Int]())
        var milliseconds: Int64 = 0
        let arrivalsPercent = dice.pick([50, 85, 95])

        func turn(_ step: Int, isLast: Bool = false) throws {
            let now = NumberedWrite.epoch + .milliseconds(milliseconds)
            // Every fourth player is mostly locked by another transaction.
            let deferred = underWay.filter { write in
                !isLast && dice.percent((write.caller.player?.rawValue ?? 0) % 4 == 3 ? 95 : 10)
            }
            let tooOld = deferred.filter { now - $0.arrivedAt >= bounds.deferredMax }
            judged += underWay.filter { !deferred.contains($0) }
            givenUp += tooOld.map(\.number)
            model.deferred = deferred.filter { !tooOld.contains($0) }
            let refused = queue.postpone(deferred, at: milliseconds)
            try #require(refused == tooOld.map(\.number), "seed \(seed), step \(step)")
            let batch = queue.batch(at: milliseconds)
            let expected = model.batch(now: now)
            try #require(batch == expected, "seed \(seed), step \(step)")
            underWay = batch ?? []
            try #require(Set(underWay.map(\.caller)).count == underWay.count, "seed \(seed), step \(step)")
            try #require(underWay.count <= bounds.batchRowsMax, "seed \(seed), step \(step)")
        }

        for step in 0..<1_000 {
            milliseconds += Int64.random(in: 0...25, using: &dice)
            if dice.percent(arrivalsPercent) {
                // The callers with low numbers come most often.
                let caller = Int64.random(in: 0...Int64.random(in: 0...11, using: &dice), using: &dice)
                let write = NumberedWrite(step, of: caller, at: milliseconds, bytes: dice.pick([1, 4, 20]))
                let isAdmitted = (try? queue.add(write)) != nil
                let isExpected = model.add(write)
                try #require(isAdmitted == isExpected, "seed \(seed), step \(step)")
                if isAdmitted { admitted.append(write) }
            } else {
                try turn(step)
            }
            try #require(queue.count == model.waiting.count, "seed \(seed), step \(step)")
            let bytesCount = model.waiting.reduce(0) { $0 + $1.bytesCount }
            try #require(queue.bytesCount == bytesCount, "seed \(seed), step \(step)")
        }
        queue.close()
        repeat { try turn(1_000, isLast: true) } while !underWay.isEmpty

        #expect((judged.map(\.number) + givenUp).sorted() == admitted.map(\.number), "seed \(seed)")
        for (caller, own) in Dictionary(grouping: judged, by: \.caller) {
            #expect(own.map(\.number) == own.map(\.number).sorted(), "seed \(seed), \(caller)")
        }
    }
}
