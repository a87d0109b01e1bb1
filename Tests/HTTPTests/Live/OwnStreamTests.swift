import Domain
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HTTP

/// Streams of what players are told of themselves: who is asked about, and when it is read anew.
@Suite struct OwnStreamTests {
    /// What the database would answer.
    private final class Versions: Sendable {
        private let state = Mutex<(versions: [TokenHash: Int64], asked: [Int], isAway: Bool)>(([:], [], false))

        func set(_ token: TokenHash, _ version: Int64?) { state.withLock { $0.versions[token] = version } }
        func isUnknown(_ token: TokenHash) -> Bool { state.withLock { $0.versions[token] == nil } }
        func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }
        /// How many were asked about since the last call, question by question.
        func asked() -> [Int] {
            state.withLock { state in
                defer { state.asked = [] }
                return state.asked
            }
        }

        func find(_ tokens: [TokenHash]) throws -> [TokenHash: Int64] {
            try state.withLock { state in
                state.asked.append(tokens.count)
                if state.isAway { throw Problem.databaseAway }
                return state.versions.filter { tokens.contains($0.key) }
            }
        }
    }

    private let versions = Versions()

    private func hub() -> LiveHub {
        let versions = versions
        return LiveHub.withoutCache { tokens in try versions.find(tokens) }
    }

    private static func token(_ number: UInt8) -> TokenHash { TokenHash(bytes: [UInt8](repeating: number, count: 32)) }

    private static func state(_ text: String, _ version: Int64) -> LiveState {
        LiveState(parts: [.of("me", text)], isFinal: false, isCached: false, version: version)
    }

    private func open(_ hub: LiveHub, _ subject: LiveSubject, of token: TokenHash) throws -> EventStream {
        let place = LivePlace(player: Player.ID(rawValue: Int64(token.bytes[0])))
        let key = "me \(token.bytes[0])"
        return try hub.open(key, subject.now, number: hub.numberOfRead(), lastEventID: nil, at: place, of: token) {
            let state = subject.read()
            if self.versions.isUnknown(token) { throw Problem.unauthorized }
            return state
        }
    }

    private func look(_ hub: LiveHub, _ count: UInt64) async { for _ in 0..<count { await hub.look() } }

    @Test("one question a second is about all players, and only who has changed is read") func asks() async throws {
        let hub = hub()
        let subjects = (1...3).map { LiveSubject(Self.state("\($0)", 7)) }
        for number in 1...3 { versions.set(Self.token(UInt8(number)), 7) }
        let streams = try subjects.indices.map { try open(hub, subjects[$0], of: Self.token(UInt8($0 + 1))) }
        await look(hub, Limits.liveTicksOfOwn)
        #expect(versions.asked() == [3])
        #expect(subjects.map(\.readsCount) == [0, 0, 0])
        versions.set(Self.token(2), 8)
        subjects[1].now = Self.state("new", 8)
        await look(hub, Limits.liveTicksOfOwn)
        #expect(versions.asked() == [3])
        #expect(subjects.map(\.readsCount) == [0, 1, 0])
        await look(hub, Limits.liveTicksOfOwn)
        #expect(subjects.map(\.readsCount) == [0, 1, 0])
        withExtendedLifetime(streams) {}
    }

    @Test("what nothing tells of is read anew each 15 s") func anew() async throws {
        let hub = hub()
        let subject = LiveSubject(Self.state("1", 7))
        versions.set(Self.token(1), 7)
        let stream = try open(hub, subject, of: Self.token(1))
        await look(hub, Limits.liveTicksOfOwnAnew - 1)
        #expect(subject.readsCount == 0)
        await look(hub, Limits.liveTicksOfOwn)
        #expect(subject.readsCount == 1)
        withExtendedLifetime(stream) {}
    }

    @Test("a token that has ended is read once, and while the database is away nobody is") func ends() async throws {
        let hub = hub()
        let subject = LiveSubject(Self.state("1", 7))
        versions.set(Self.token(1), 7)
        versions.setAway(true)
        let stream = try open(hub, subject, of: Self.token(1))
        await look(hub, Limits.liveTicksWithSQL)
        #expect(subject.readsCount == 0)
        versions.setAway(false)
        versions.set(Self.token(1), nil)
        await look(hub, Limits.liveTicksWithSQL)
        #expect(subject.readsCount == 1)
        withExtendedLifetime(stream) {}
    }

    @Test("no question is about more players than it may be, and nobody waits for ever") func bounded() async throws {
        let hub = hub()
        var streams: [EventStream] = []
        let count = Limits.liveOwnPerLook + 100
        for number in 0..<count {
            let token = TokenHash(bytes: Array("\(number)".utf8))
            versions.set(token, 7)
            let state = Self.state("1", 7)
            streams.append(
                try hub.open(
                    "me \(number)", state, number: hub.numberOfRead(), lastEventID: nil,
                    at: LivePlace(player: Player.ID(rawValue: Int64(number))), of: token
                ) { state })
        }
        await look(hub, Limits.liveTicksOfOwn + 1)
        #expect(versions.asked() == [Limits.liveOwnPerLook, 100])
        withExtendedLifetime(streams) {}
    }
}
