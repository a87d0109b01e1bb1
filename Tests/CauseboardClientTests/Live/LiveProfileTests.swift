import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

@Suite struct LiveProfileTests {
    private static let me = "/v1/players/me"
    private static let stream = "/v1/players/me/live"

    /// A signed-in player of a server that answers its own profile and stream by the closure.
    private final class Phone: Sendable {
        let scratch: ScratchDirectory
        let clock = SkippingClock()
        let server: FakeServer
        let board: Causeboard

        init(_ own: @escaping @Sendable (FakeRequest) -> FakeReply) async throws {
            scratch = try ScratchDirectory()
            let game = FakeGame { $0.path.hasPrefix(LiveProfileTests.me) ? .instead(own($0)) : .none }
            server = try FakeServer(game.answer)
            var options = Options.test(scratch, clock)
            options.backoff.random = { 0.5 }
            board = try await Causeboard(server: server.url, game: "maze", options: options)
            try await board.signIn(as: "Ada")
        }

        func asked(_ path: String) -> [FakeRequest] { server.requests.filter { $0.path == path } }
    }

    @Test("changes come over one stream, however many watch") func shared() async throws {
        let live = FakeLive()
        let phone = try await Phone { $0.path == Self.stream ? live.stream() : live.answer($0) }
        try await withDeadline {
            var one = await phone.board.watchProfile().makeAsyncIterator()
            var two = await phone.board.watchProfile().makeAsyncIterator()
            for left in 1...3 {
                live.tell(FakeLive.profile(left: left))
                #expect(await one.next()?.left == Int64(left))
                #expect(await two.next()?.left == Int64(left))
            }
            var late = await phone.board.watchProfile().makeAsyncIterator()
            #expect(await late.next()?.left == 3)
            await phone.board.close()
            #expect(await one.next() == nil)
            #expect(await late.next() == nil)
            #expect(await phone.board.watchProfile().first { _ in true } == nil)
        }
        #expect(phone.asked(Self.stream).count == 1)
        #expect(phone.asked(Self.me).isEmpty)
        live.end()
    }

    @Test("challenges and the next day of a plan are told") func contests() async throws {
        let live = FakeLive()
        let phone = try await Phone { _ in live.stream() }
        try await withDeadline {
            var profiles = await phone.board.watchProfile().makeAsyncIterator()
            let invitation = #"{"id":"5f0c1d2e-0000-4000-8000-000000000001","state":"open","answer":"invited"}"#
            live.tell(FakeLive.profile(challenges: invitation, plan: #"{"next_on":"2026-11-22"}"#))
            let profile = await profiles.next()
            #expect(profile?.challenges.map(\.answer) == [.invited])
            #expect(profile?.plan?.nextOn == "2026-11-22")
            await phone.board.close()
        }
        live.end()
    }

    @Test("a stream that ends is opened again where it ended, and tells nothing twice") func again() async throws {
        let live = FakeLive()
        let phone = try await Phone { _ in live.stream() }
        try await withDeadline {
            var profiles = await phone.board.watchProfile().makeAsyncIterator()
            live.tell(FakeLive.profile(left: 1), id: "abc")
            #expect(await profiles.next()?.left == 1)
            live.end()
            live.tell(FakeLive.profile(left: 1), id: "def")
            live.tell(FakeLive.profile(left: 2), id: "bad\u{7}id")
            #expect(await profiles.next()?.left == 2)
            live.end()
            live.tell(FakeLive.profile(left: 3), id: String(repeating: "x", count: Limits.tagBytesMax + 1))
            #expect(await profiles.next()?.left == 3)
            live.end()
            live.tell(FakeLive.profile(left: 4))
            #expect(await profiles.next()?.left == 4)
        }
        let ids = phone.asked(Self.stream).map { $0.headers["last-event-id"] }
        #expect(ids.contains("abc"))
        #expect(ids.allSatisfy { $0 == nil || $0 == "abc" || $0 == "def" || $0?.hasPrefix("v") == true })
        await phone.board.close()
        live.end()
    }

    @Test("a stream that is refused becomes a question each 15 s, and is asked for again after 20 of them")
    func refused() async throws {
        let live = FakeLive()
        let polls = Mutex(0)
        let streams = Mutex(0)
        let phone = try await Phone { request in
            guard request.path == Self.me else {
                let isFirst = streams.withLock { streams in
                    streams += 1
                    return streams == 1
                }
                return isFirst ? .problem("rate-limited", status: 429) : FakeReply(status: 204)
            }
            // Each tenth question finds another profile.
            let number = polls.withLock { polls in
                polls += 1
                return polls
            }
            if number % 10 == 0 { live.tell(FakeLive.profile(left: number)) }
            return live.answer(request)
        }
        let before = phone.clock.slept
        let profiles = try await withDeadline {
            var profiles: [Int64] = []
            for await profile in await phone.board.watchProfile() { profiles.append(profile.left) }
            return profiles
        }
        #expect(profiles.last == 20)
        #expect(Set(profiles).isSubset(of: [0, 10, 20]))
        #expect(phone.asked(Self.stream).count == 2)
        #expect(phone.asked(Self.me).count == Limits.pollsWithoutStream)
        #expect(phone.asked(Self.me).dropFirst().allSatisfy { $0.headers["if-none-match"] != nil })
        // The dice say that every wait is as long as it usually is; the last one is a stream's.
        #expect(phone.clock.slept - before == Limits.pollPause * 19 + Limits.streamPause)
        await phone.board.close()
    }

    @Test("it ends when the device is cut off or the player has gone", arguments: [401, 410]) func over(status: Int)
        async throws
    {
        let name = status == 401 ? "unauthorized" : "gone"
        let phone = try await Phone { _ in .problem(name, status: status) }
        try await withDeadline { #expect(await phone.board.watchProfile().first { _ in true } == nil) }
        #expect(phone.asked(Self.stream).count == 1)
        await phone.board.close()
    }

    @Test("what is no Causeboard's answer ends nothing") func hotel() async throws {
        let live = FakeLive()
        let number = Mutex(0)
        let phone = try await Phone { request in
            let number = number.withLock { number in
                number += 1
                return number
            }
            if number <= 6 { return FakeReply(status: 401, body: Data("<html>Room number?".utf8)) }
            return request.path == Self.stream ? live.stream() : live.answer(request)
        }
        try await withDeadline {
            live.tell(FakeLive.profile(left: 5))
            #expect(await phone.board.watchProfile().first { _ in true }?.left == 5)
        }
        await phone.board.close()
        live.end()
    }

    @Test("who signs out is told nothing more of the player, and who signs in then is") func signOut() async throws {
        let live = FakeLive()
        let phone = try await Phone { _ in live.stream() }
        try await withDeadline {
            var profiles = await phone.board.watchProfile().makeAsyncIterator()
            live.tell(FakeLive.profile(left: 1))
            #expect(await profiles.next()?.left == 1)
            try await phone.board.signOut()
            live.end()
            try await phone.board.signIn(as: "Bob")
            // Streams that the client has left may take some of what is told, as the server does not know that yet.
            let telling = Task {
                while !Task.isCancelled {
                    live.tell(FakeLive.profile(left: 2))
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            #expect(await profiles.next()?.left == 2)
            telling.cancel()
        }
        let tokens = phone.asked(Self.stream).compactMap(\.token)
        #expect(Set(tokens).count == 2)
        await phone.board.close()
        live.end()
    }
}
