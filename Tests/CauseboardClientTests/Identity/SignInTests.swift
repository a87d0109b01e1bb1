import Contract
import Foundation
import Synchronization
import Testing

@testable import CauseboardClient

/// Signing in at a provider, beside what the vectors of all clients say.
@Suite struct SignInTests {
    private static let apple = IdentityToken(provider: "apple", nonce: "AAAA", token: "eyJ.eyJ.c2ln")
    private static let eve = FakeReply.json(#"{"player":{"id":8,"name":"Eve"},"sign_key":"\#(FakeGame.signKey)"}"#)
    private let scratch: ScratchDirectory
    private let clock = SkippingClock()

    init() throws { scratch = try ScratchDirectory() }

    private func open(_ server: FakeServer) async throws(CauseboardError) -> Causeboard {
        try await Causeboard(server: server.url, game: "maze", options: .test(scratch, clock))
    }

    private static func isSignIn(_ request: FakeRequest) -> Bool { request.text.contains("identity") }

    @Test("an ID token that is refused while the device's token is being changed is sent once, and ends no change")
    func refusedInRotation() async throws {
        let game = FakeGame { request in
            if request.path == "/v1/players/me/token" { return .instead(.silence) }
            return Self.isSignIn(request) ? .instead(.problem("identity-refused", status: 401)) : .none
        }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        try await board.signIn(as: "Ada")
        await #expect(throws: CauseboardError.askAgain(after: nil, .unreachable)) { try await board.rotateToken() }
        let token = await board.session.identity?.token
        let refusal = RequestRefusal(.identityRefused, "The identity-refused.", status: 401)
        await #expect(throws: CauseboardError.giveUp(refusal)) { try await board.signIn(with: Self.apple, as: "Ada") }
        #expect(server.requests.count { Self.isSignIn($0) } == 1)
        #expect(server.requests.count { $0.path == "/v1/players/me/token" } == 1)
        #expect(await board.session.identity?.token == token)
        #expect(await board.queue.stoppedBy == nil)
        await board.close()
    }

    @Test("the provider's keys are waited for as long as the server says", arguments: [7, nil]) func issuerAway(
        seconds: Int?
    ) async throws {
        let refusals = Mutex(0)
        let headers = seconds.map { ["Retry-After": String($0)] } ?? [:]
        let game = FakeGame { request in
            let isFirst = refusals.withLock { count in
                if Self.isSignIn(request) { count += 1 }
                return count == 1
            }
            guard Self.isSignIn(request), isFirst else { return .none }
            return .instead(.problem("issuer-away", status: 503, headers: headers))
        }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        #expect(try await board.signIn(with: Self.apple, as: "Ada").name == "Ada")
        #expect(clock.slept > .seconds((seconds ?? 10) - 1) && clock.slept <= .seconds(seconds ?? 10))
        #expect(server.requests.count { Self.isSignIn($0) } == 2)
        await board.close()
    }

    @Test("a name that waited for a network is not given to the player whom the device joins") func waitingName()
        async throws
    {
        let isAway = Mutex(true)
        let game = FakeGame { request in
            if isAway.withLock({ $0 }) { return .instead(.silence) }
            return Self.isSignIn(request) ? .after(Self.eve) : .none
        }
        let server = try FakeServer(game.answer)
        let board = try await open(server)
        await #expect(throws: CauseboardError.self) { try await board.signIn(as: "Ada") }
        let before = server.requests.count
        isAway.withLock { $0 = false }
        #expect(try await board.signIn(with: Self.apple, as: "Ada").name == "Eve")
        let post = try await board.post(5, to: "lap")
        #expect(try await withDeadline { await board.settlement(of: post) } != nil)
        // Nor is the name with which the player signed in, at the next start.
        try await board.signIn(as: "Ada")
        let later = server.requests.dropFirst(before).filter { $0.text.contains("Ada") && !Self.isSignIn($0) }
        #expect(later.isEmpty, "\(later.map(\.text))")
        await board.close()
    }

    @Test("what is printed of an ID token is not the token") func printed() {
        #expect("\(Self.apple)" == "ID token of apple")
        #expect(String(reflecting: Self.apple) == "ID token of apple")
    }

    @Test("a provider that is no slug is never asked for") func slug() async throws {
        let server = try FakeServer(FakeGame().answer)
        let board = try await open(server)
        let strange = IdentityToken(provider: "me/../..", nonce: "AAAA", token: "")
        for call in [
            { try await board.signIn(with: strange, as: "Ada").name }, { try await board.link(strange).provider },
        ] as [@Sendable () async throws -> String] {
            await #expect(throws: CauseboardError.self) { _ = try await call() }
        }
        await #expect(throws: CauseboardError.self) { try await board.unlink("Apple") }
        #expect(server.requests.isEmpty)
        await board.close()
    }
}
