import Domain
import Synchronization
import TestDice
import Testing

@testable import Leaderboard

/// Random interleavings of batches, snapshots and a stream with a naive database, in which everything is known.
@Suite struct StreamHistoryTests {
    /// A commit that is under way.
    private struct Batch {
        let marker: CommitBarrier.Marker?
        /// Its place in the log; nil before it is committed.
        var position: Int?
    }

    private final class Deliveries: Sendable { let positions = Mutex<[Int]>([]) }

    private final class Simulation {
        let standings = InMemoryStandings()
        let barrier: CommitBarrier
        var now = ContinuousClock.now
        /// Each commit's marker, and when it was committed.
        var log: [(marker: String?, at: ContinuousClock.Instant)] = []
        var batches: [Batch] = []
        /// Heartbeats and first markers that are being written.
        var sent: [CommitBarrier.Marker] = []
        /// Positions of the commits that somebody was told of.
        let deliveries = Deliveries()
        var answeredCount = 0
        /// Where the open slot begins; nil without one.
        var slot: Int?
        /// The commits that the standings contain are those before it; nil while no stream is followed.
        var applied: Int?
        var currentCount = 0

        init() { barrier = CommitBarrier(standings: standings) }

        func commit(_ marker: String?) -> Int {
            log.append((marker, now))
            return log.count - 1
        }

        func answer(_ index: Int) {
            let batch = batches.remove(at: index)
            guard let position = batch.position else { return }
            answeredCount += 1
            barrier.whenSeen(batch.marker, at: now) { [deliveries] in
                deliveries.positions.withLock { $0.append(position) }
            }
        }

        func apply() {
            guard let next = applied, next < log.count else { return }
            applied = next + 1
            if let marker = log[next].marker { barrier.saw(marker, at: now) }
        }

        /// The rules of the commit barrier.
        func check(_ label: String) {
            let applied = applied ?? 0
            if standings.freshness.isFresh(at: now) {
                let old = log.prefix { $0.at < now - .milliseconds(Limits.stalenessMillisecondsMax) }.count
                #expect(applied >= old, "\(label): fresh, with \(applied) of \(old) commits older than two seconds")
            }
            guard standings.freshness.isCurrent(at: now) else { return }
            currentCount += 1
            let missing = deliveries.positions.withLock { $0.filter { $0 >= applied } }
            #expect(
                missing.isEmpty, "\(label): current, although \(missing) were acknowledged and \(applied) are there")
        }

        func step(_ dice: inout Dice) {
            switch Int.random(in: 0..<100, using: &dice) {
            case ..<15: batches.append(Batch(marker: barrier.issue()))
            case ..<32:
                guard let index = batches.indices.filter({ batches[$0].position == nil }).randomElement(using: &dice)
                else { return }
                batches[index].position = commit(batches[index].marker?.text)
            case ..<47:
                guard let index = batches.indices.filter({ batches[$0].position != nil }).randomElement(using: &dice)
                else { return }
                answer(index)
            case ..<50:
                // The answer is lost, whether it was committed or not.
                guard let index = batches.indices.randomElement(using: &dice) else { return }
                barrier.forget(batches.remove(at: index).marker)
            case ..<54: slot = slot ?? (applied == nil ? log.count : nil)
            case ..<58:
                guard applied == nil, let slot else { return }
                applied = slot
                sent.append(barrier.begin(at: now))
            case ..<60:
                guard applied != nil, dice.percent(40) else { return }
                barrier.end()
                (slot, applied, sent) = (nil, nil, [])
            case ..<65: if let marker = barrier.heartbeat(at: now) { sent.append(marker) }
            case ..<72: if !sent.isEmpty { _ = commit(sent.removeFirst().text) }
            case ..<95: apply()
            default:
                now += .milliseconds(dice.pick([1, 5, 30, 60, 900]))
                barrier.expire(at: now)
            }
        }

        /// Lets everything that is under way end, with a stream that keeps up.
        func settle() {
            while !batches.isEmpty {
                if batches[0].position == nil { batches[0].position = commit(batches[0].marker?.text) }
                answer(0)
            }
            if applied == nil {
                applied = log.count
                sent.append(barrier.begin(at: now))
            }
            for _ in 0..<3 {
                while !sent.isEmpty { _ = commit(sent.removeFirst().text) }
                while (applied ?? 0) < log.count { apply() }
                if let marker = barrier.heartbeat(at: now) { sent.append(marker) }
            }
            while !sent.isEmpty { _ = commit(sent.removeFirst().text) }
            while (applied ?? 0) < log.count { apply() }
        }
    }

    @Test(
        "standings that are current contain what was acknowledged, and become current again once the stream keeps up",
        arguments: Dice.seeds(1...300)) func anything(seed: UInt64)
    {
        var dice = Dice(seed: seed)
        let simulation = Simulation()
        for step in 0..<400 {
            simulation.step(&dice)
            simulation.check("seed \(seed), step \(step)")
        }
        simulation.settle()
        simulation.check("seed \(seed), at the end")
        #expect(simulation.standings.freshness.isCurrent(at: simulation.now), "seed \(seed): by SQL for ever")
        #expect(
            simulation.deliveries.positions.withLock { $0.count } == simulation.answeredCount,
            "seed \(seed): each is answered once")
        #expect(simulation.barrier.rememberedCount == 0, "seed \(seed): markers stay behind")
    }

    @Test("in the random histories the standings are often current") func isCurrentOften() {
        var count = 0
        for seed in UInt64(1)...20 {
            var dice = Dice(seed: seed)
            let simulation = Simulation()
            for _ in 0..<400 {
                simulation.step(&dice)
                simulation.check("seed \(seed)")
            }
            count += simulation.currentCount
        }
        #expect(count > 500)
    }
}
