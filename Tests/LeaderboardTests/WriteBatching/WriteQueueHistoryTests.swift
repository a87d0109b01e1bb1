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
        var deferred: [(write: NumberedWrite, dueAt: ContinuousClock.Instant)] = []
        /// How often each write was put off.
        var timesDeferred: [Int: Int] = [:]
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

        /// Returns the numbers of the writes that are given up.
        mutating func postpone(_ writes: [NumberedWrite], now: ContinuousClock.Instant) -> [Int] {
            var givenUp: [Int] = []
            for write in writes {
                if now - write.arrivedAt >= bounds.deferredMax || deferred.count == bounds.deferredRowsMax {
                    givenUp.append(write.number)
                    continue
                }
                let pauses = [0, 5, 10, 20, 40, 80, 160, 320]
                let pause = pauses[min(timesDeferred[write.number, default: 0], pauses.count - 1)]
                timesDeferred[write.number, default: 0] += 1
                deferred.append((write, now + .milliseconds(pause)))
            }
            return givenUp
        }

        mutating func batch(now: ContinuousClock.Instant) -> [NumberedWrite]? {
            // The first one put off among those that are due longest goes first; they get a quarter of the batch.
            var (batch, staying) = ([NumberedWrite](), [NumberedWrite]())
            leftOut = nil
            while batch.count < max(bounds.batchRowsMax / 4, 1), let dueAt = deferred.map(\.dueAt).min(), dueAt <= now {
                guard let next = deferred.firstIndex(where: { $0.dueAt == dueAt }) else { break }
                batch.append(deferred.remove(at: next).write)
            }
            for write in waiting {
                let isFull = batch.count == bounds.batchRowsMax
                if isFull, leftOut == nil { leftOut = write }
                let hasCaller = (batch + deferred.map(\.write)).contains { $0.caller == write.caller }
                if isFull || hasCaller { staying.append(write) } else { batch.append(write) }
            }
            waiting = staying
            committingSince = batch.isEmpty ? nil : now
            return batch.isEmpty ? nil : batch
        }
    }

    @Test(
        "whatever happens, the queue does as the model, and every write is judged or given up once",
        arguments: Dice.seeds(1...30)) func anything(seed: UInt64) throws
    {
        var dice = Dice(seed: seed)
        let bounds = WriteQueue<NumberedWrite>.Bounds(
            rowsMax: 30, bytesMax: dice.pick([60, 10_000]), rowsOfCallerMax: 6, batchRowsMax: dice.pick([1, 4, 9, 40]),
            deferredRowsMax: dice.pick([2, 5, 40]), waitMax: .milliseconds(200), commitMax: .milliseconds(400),
            deferredMax: .milliseconds(900))
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
            judged += underWay.filter { !deferred.contains($0) }
            let refused = queue.postpone(deferred, at: milliseconds)
            let expectedRefused = model.postpone(deferred, now: now)
            try #require(refused == expectedRefused, "seed \(seed), step \(step)")
            givenUp += refused
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
        repeat {
            milliseconds += 100
            try turn(1_000, isLast: true)
        } while !underWay.isEmpty || queue.count > 0 || !model.deferred.isEmpty

        #expect((judged.map(\.number) + givenUp).sorted() == admitted.map(\.number), "seed \(seed)")
        for (caller, own) in Dictionary(grouping: judged, by: \.caller) {
            #expect(own.map(\.number) == own.map(\.number).sorted(), "seed \(seed), \(caller)")
        }
    }
}
