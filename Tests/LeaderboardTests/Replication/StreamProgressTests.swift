import Domain
import Testing

@testable import Leaderboard

@Suite struct StreamProgressTests {
    private static let start = ContinuousClock.now

    /// A stream that has caught up.
    private static func current() -> StreamProgress {
        var progress = StreamProgress()
        let first = progress.begin(at: start)
        progress.saw(first, at: start)
        return progress
    }

    private static func issued(_ progress: inout StreamProgress) throws -> UInt64 {
        let number = progress.issue()
        return try #require(number)
    }

    private static func heartbeat(_ progress: inout StreamProgress, at time: ContinuousClock.Instant) throws -> UInt64 {
        let number = progress.heartbeat(at: time)
        return try #require(number)
    }

    @Test("answers wait while the stream keeps up, and nothing is remembered of them after it") func keepsUp() throws {
        var progress = Self.current()
        let early = try Self.issued(&progress)
        let late = try Self.issued(&progress)
        let failed = try Self.issued(&progress)
        progress.saw(early, at: Self.start)
        let answers = [progress.answered(early), progress.answered(late)]
        #expect(answers == [.contained, .waits])
        progress.saw(late, at: Self.start)
        progress.forget(failed)
        progress.saw(failed, at: Self.start)
        #expect(progress.isCurrent && progress.rememberedCount == 0)
    }

    @Test("a busy server whose stream was behind is current again, although no moment is without an answer")
    func catchesUp() throws {
        var progress = Self.current()
        progress.overdue()
        // Each post is answered before its marker comes back.
        func post() throws {
            let number = try Self.issued(&progress)
            _ = progress.answered(number)
            progress.saw(number, at: Self.start)
        }
        for _ in 0..<100 { try post() }
        #expect(!progress.isCurrent && progress.wantsHeartbeat)
        let heartbeat = try Self.heartbeat(&progress, at: Self.start)
        progress.saw(heartbeat, at: Self.start + .milliseconds(2))
        try post()
        try post()
        #expect(progress.isCurrent && !progress.wantsHeartbeat)
    }

    @Test("a heartbeat that was slow does not make answers wait again") func slowHeartbeat() throws {
        var progress = Self.current()
        progress.overdue()
        let heartbeat = try Self.heartbeat(&progress, at: Self.start)
        let first = try Self.issued(&progress)
        let second = try Self.issued(&progress)
        var answers = [progress.answered(first)]
        progress.saw(heartbeat, at: Self.start + .milliseconds(51))
        answers.append(progress.answered(second))
        #expect(answers == [.unconfirmed, .unconfirmed])
    }

    @Test("a heartbeat that was quick makes answers wait again, although some were given meanwhile")
    func quickHeartbeat() throws {
        var progress = Self.current()
        progress.overdue()
        let heartbeat = try Self.heartbeat(&progress, at: Self.start)
        let first = try Self.issued(&progress)
        let second = try Self.issued(&progress)
        var answers = [progress.answered(first)]
        progress.saw(heartbeat, at: Self.start + .milliseconds(50))
        answers.append(progress.answered(second))
        #expect(answers == [.unconfirmed, .waits] && !progress.isCurrent)
    }

    @Test("a batch that was made before the marker that confirms, and committed after it, takes no confirmation away")
    func lateCommit() throws {
        var progress = Self.current()
        let slow = try Self.issued(&progress)
        progress.overdue()
        let heartbeat = try Self.heartbeat(&progress, at: Self.start)
        progress.saw(heartbeat, at: Self.start)
        #expect(progress.isCurrent)
        progress.saw(slow, at: Self.start)
        #expect(progress.isCurrent)
    }

    @Test("the standings are as old as the latest heartbeat that came back, counted from when it was made") func age()
        throws
    {
        var progress = Self.current()
        let first = try Self.heartbeat(&progress, at: Self.start + .seconds(1))
        _ = progress.heartbeat(at: Self.start + .seconds(2))
        progress.saw(first, at: Self.start + .seconds(5))
        #expect(progress.confirmedAt == Self.start + .seconds(1))
        progress.end()
        let numbers = [progress.heartbeat(at: Self.start), progress.issue()]
        #expect(progress.confirmedAt == nil && numbers == [nil, nil])
    }

    @Test("a stream is given up when nothing of what was committed comes back, not when nothing can be committed")
    func silence() throws {
        let late = Self.start + .seconds(Limits.streamSilentSecondsMax) + .seconds(2)
        var progress = Self.current()
        let heartbeat = try Self.heartbeat(&progress, at: Self.start + .seconds(1))
        #expect(!progress.isSilent(at: late))
        progress.committed(heartbeat)
        #expect(progress.isSilent(at: late))
        let other = try Self.issued(&progress)
        progress.saw(other, at: late)
        #expect(!progress.isSilent(at: late))
    }

    @Test("of heartbeats that do not come back a bounded number is remembered") func heartbeats() throws {
        var progress = Self.current()
        for _ in 0..<(Limits.heartbeatsMax * 2) { _ = progress.heartbeat(at: Self.start) }
        #expect(progress.rememberedCount == Limits.heartbeatsMax)
        let last = try Self.heartbeat(&progress, at: Self.start)
        progress.saw(last, at: Self.start)
        #expect(progress.rememberedCount == 0, "those before it say nothing more")
    }

    @Test("a marker older than the stream is no sign that the stream still brings something") func formerMarker() throws
    {
        let late = Self.start + .seconds(Limits.streamSilentSecondsMax) + .seconds(2)
        var progress = Self.current()
        let former = try Self.issued(&progress)
        let first = progress.begin(at: Self.start)
        progress.committed(first)
        progress.saw(former, at: late)
        #expect(progress.isSilent(at: late) && !progress.isCurrent)
        progress.saw(first, at: late)
        #expect(!progress.isSilent(at: late) && progress.isCurrent)
    }
}
