import Testing

@testable import EmbeddedPostgres

@Suite struct StallDetectorTests {
    private let start = ContinuousClock.now

    /// Looks every `activityLook` until a shutdown counts as stalled, or for ten minutes.
    private func stalls(_ activity: (Duration) -> ProcessActivity) -> Duration? {
        var stall = StallDetector(since: start, stallMax: Limits.shutdownStall)
        var passed = Duration.zero
        while passed < .seconds(600) {
            if stall.isStalled(at: start + passed, { activity(passed) }) { return passed }
            passed += Limits.activityLook
        }
        return nil
    }

    @Test("a shutdown that uses a processor or a disk goes on; one that does nothing is stalled after a while")
    func stalled() {
        #expect(stalls { _ in ProcessActivity(isWorking: true, ticks: 0) } == nil)
        #expect(stalls { ProcessActivity(isWorking: false, ticks: UInt64($0 / .seconds(5))) } == nil)
        #expect(stalls { _ in ProcessActivity(isWorking: false, ticks: 0) } == Limits.shutdownStall)
        let worked = Duration.seconds(20)
        #expect(stalls { ProcessActivity(isWorking: $0 <= worked, ticks: 9) } == worked + Limits.shutdownStall)
    }

    @Test("a recovery may take an hour as long as it goes on; a start that does nothing is given up") func recovery() {
        var stall = StallDetector(since: start, stallMax: .seconds(600))
        for second in 1...3600 {
            let activity = ProcessActivity(isWorking: false, ticks: UInt64(second / 300))
            #expect(!stall.isStalled(at: start + .seconds(second)) { activity })
        }
        let idle = ProcessActivity(isWorking: false, ticks: 12)
        #expect(!stall.isStalled(at: start + .seconds(3600 + 599)) { idle })
        #expect(stall.isStalled(at: start + .seconds(3600 + 601)) { idle })
    }
}
