import Domain
import Testing

@testable import Leaderboard

@Suite struct StreamProofTests {
    private static let start = ContinuousClock.now

    /// A proof whose stream has caught up.
    private static func current() -> StreamProof {
        var proof = StreamProof()
        let first = proof.begin(at: start)
        proof.saw(first, at: start)
        return proof
    }

    private static func issued(_ proof: inout StreamProof) throws -> UInt64 {
        let number = proof.issue()
        return try #require(number)
    }

    private static func heartbeat(_ proof: inout StreamProof, at time: ContinuousClock.Instant) throws -> UInt64 {
        let number = proof.heartbeat(at: time)
        return try #require(number)
    }

    @Test("answers wait while the stream keeps up, and nothing is remembered of them after it") func keepsUp() throws {
        var proof = Self.current()
        let early = try Self.issued(&proof)
        let late = try Self.issued(&proof)
        let failed = try Self.issued(&proof)
        proof.saw(early, at: Self.start)
        let answers = [proof.answered(early), proof.answered(late)]
        #expect(answers == [.contained, .waits])
        proof.saw(late, at: Self.start)
        proof.forget(failed)
        proof.saw(failed, at: Self.start)
        #expect(proof.isCurrent && proof.rememberedCount == 0)
    }

    @Test("a busy server whose stream was behind is current again, although no moment is without an answer")
    func catchesUp() throws {
        var proof = Self.current()
        proof.overdue()
        // Each post is answered before its marker comes back.
        func post() throws {
            let number = try Self.issued(&proof)
            _ = proof.answered(number)
            proof.saw(number, at: Self.start)
        }
        for _ in 0..<100 { try post() }
        #expect(!proof.isCurrent && proof.wantsHeartbeat)
        let heartbeat = try Self.heartbeat(&proof, at: Self.start)
        proof.saw(heartbeat, at: Self.start + .milliseconds(2))
        try post()
        try post()
        #expect(proof.isCurrent && !proof.wantsHeartbeat)
    }

    @Test("a heartbeat that was slow does not make answers wait again") func slowHeartbeat() throws {
        var proof = Self.current()
        proof.overdue()
        let heartbeat = try Self.heartbeat(&proof, at: Self.start)
        let first = try Self.issued(&proof)
        let second = try Self.issued(&proof)
        var answers = [proof.answered(first)]
        proof.saw(heartbeat, at: Self.start + .milliseconds(51))
        answers.append(proof.answered(second))
        #expect(answers == [.unproven, .unproven])
    }

    @Test("a heartbeat that was quick makes answers wait again, although some were given meanwhile")
    func quickHeartbeat() throws {
        var proof = Self.current()
        proof.overdue()
        let heartbeat = try Self.heartbeat(&proof, at: Self.start)
        let first = try Self.issued(&proof)
        let second = try Self.issued(&proof)
        var answers = [proof.answered(first)]
        proof.saw(heartbeat, at: Self.start + .milliseconds(50))
        answers.append(proof.answered(second))
        #expect(answers == [.unproven, .waits] && !proof.isCurrent)
    }

    @Test("a batch that was made before the marker that proves, and committed after it, takes no proof away")
    func lateCommit() throws {
        var proof = Self.current()
        let slow = try Self.issued(&proof)
        proof.overdue()
        let heartbeat = try Self.heartbeat(&proof, at: Self.start)
        proof.saw(heartbeat, at: Self.start)
        #expect(proof.isCurrent)
        proof.saw(slow, at: Self.start)
        #expect(proof.isCurrent)
    }

    @Test("the standings are as old as the latest heartbeat that came back, counted from when it was made")
    func age() throws {
        var proof = Self.current()
        let first = try Self.heartbeat(&proof, at: Self.start + .seconds(1))
        _ = proof.heartbeat(at: Self.start + .seconds(2))
        proof.saw(first, at: Self.start + .seconds(5))
        #expect(proof.provenAt == Self.start + .seconds(1))
        proof.end()
        let numbers = [proof.heartbeat(at: Self.start), proof.issue()]
        #expect(proof.provenAt == nil && numbers == [nil, nil])
    }

    @Test("a stream is given up when nothing of what was committed comes back, not when nothing can be committed")
    func silence() throws {
        let late = Self.start + .seconds(Limits.streamSilentSecondsMax) + .seconds(2)
        var proof = Self.current()
        let heartbeat = try Self.heartbeat(&proof, at: Self.start + .seconds(1))
        #expect(!proof.isSilent(at: late))
        proof.committed(heartbeat)
        #expect(proof.isSilent(at: late))
        let other = try Self.issued(&proof)
        proof.saw(other, at: late)
        #expect(!proof.isSilent(at: late))
    }

    @Test("of heartbeats that do not come back a bounded number is remembered") func heartbeats() throws {
        var proof = Self.current()
        for _ in 0..<(Limits.heartbeatsMax * 2) { _ = proof.heartbeat(at: Self.start) }
        #expect(proof.rememberedCount == Limits.heartbeatsMax)
        let last = try Self.heartbeat(&proof, at: Self.start)
        proof.saw(last, at: Self.start)
        #expect(proof.rememberedCount == 0, "those before it say nothing more")
    }

    @Test("a marker older than the stream is no sign that the stream still brings something") func formerMarker() throws
    {
        let late = Self.start + .seconds(Limits.streamSilentSecondsMax) + .seconds(2)
        var proof = Self.current()
        let former = try Self.issued(&proof)
        let first = proof.begin(at: Self.start)
        proof.committed(first)
        proof.saw(former, at: late)
        #expect(proof.isSilent(at: late) && !proof.isCurrent)
        proof.saw(first, at: late)
        #expect(!proof.isSilent(at: late) && proof.isCurrent)
    }
}
