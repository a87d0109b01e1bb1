import enum Contract.ProblemName
import Credentials
import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import TestDatabases
import Testing

@testable import HTTP
@testable import HTTPServer
@testable import Leaderboard
@testable import Storage

/// What is counted before it is done, and returned if it turns out not to count. No test needs a database.
@Suite struct GivenBackTests {
    private static let token = TokenHash(bytes: Array(repeating: 7, count: 32))
    private static let player = Player.ID(rawValue: 9)

    /// A responder with these rates, for which no time passes.
    private static func responder(_ limit: RateLimit, _ rate: String) throws -> Responder {
        var settings = RateSettings()
        let parsed: Rate = try #require(Rate(rate))
        settings.rates[limit] = parsed
        return try Exchange.responderWithoutDatabase(rates: RateLimiter(settings) { 1_000_000_000_000 })
    }

    private static func isRateLimited(_ error: (any Error)?) -> Bool { (error as? Problem)?.name == .rateLimited }

    /// Errors, and whether they prove that nothing was checked or stored.
    private static let failures: [(error: any Error, isRefusal: Bool)] = [
        (Problem.unauthorized, true), (FieldError("code", "The code is no code."), true), (StoreError.crowded, true),
        (StoreError.overloaded, true), (StoreError.unavailable, false), (StoreError.formerPrimary, false),
    ]

    @Test("a code stays counted if it may have been checked, and only then") func guesses() async throws {
        let request = Request(
            method: .put, target: "/v1/games/default/devices/new", headers: RequestHeaders([:]), body: ByteBuffer(),
            peer: Peer(address: IPAddress("203.0.113.1"), isEncrypted: false, listener: .open))
        for (failure, isRefusal) in Self.failures {
            let responder = try Self.responder(.failedCodes, "2/h")
            func guess() async -> (any Error)? {
                do {
                    _ = try await responder.rates.guessing(.join, in: .defaultGame, of: request, isWrong: { $0 }) {
                        throw failure
                    }
                    return nil
                } catch { return error }
            }
            for _ in 0..<2 { #expect(!Self.isRateLimited(await guess()), "\(failure)") }
            #expect(Self.isRateLimited(await guess()) == !isRefusal, "\(failure)")
        }
    }

    @Test("bytes stay counted if they may be stored, and only then") func bytes() async throws {
        func store(_ responder: Responder, _ failure: any Error) async -> Bool {
            let key = BucketKey(Self.token)
            _ = try? await responder.rates.charging(key, 100, to: .playerStoredBytes) {
                () -> (value: Int, stays: Bool) in throw failure
            }
            return responder.rates.limiter.take(key, 100, of: .playerStoredBytes) != nil
        }
        for (failure, isRefusal) in Self.failures {
            let areCounted = await store(try Self.responder(.playerStoredBytes, "100/h"), failure)
            #expect(areCounted == !isRefusal, "\(failure)")
        }
        // The statement of a task that was cancelled may have been committed.
        let responder = try Self.responder(.playerStoredBytes, "100/h")
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await store(responder, StoreError.overloaded)
        }
        #expect(await cancelled.value)
    }

    @Test("bytes count for the token until this process knows its player, and then for the player") func owner() throws
    {
        let responder = try Self.responder(.playerStoredBytes, "100/h")
        #expect(responder.rates.owner(of: Self.token) == BucketKey(Self.token))
        let (callers, freshness) = (responder.rates.rankings.callers, responder.rates.rankings.standings.freshness)
        freshness.set(isCurrent: true, freshUntil: .now + .seconds(3_600))
        callers.setFollowing(true)
        let question = KnownCallers.Question(.token(Self.token, claims: nil), game: nil, isScore: false)
        let answer = IdentifiedCaller(player: Self.player, refusal: nil, device: nil, callersLeft: 0)
        callers.remember([question], [answer], since: callers.find([], now: .noon).version)
        #expect(responder.rates.owner(of: Self.token) == BucketKey(Self.player))
    }

    @Test("what changes nothing does not count") func unused() async throws {
        let responder = try Self.responder(.playerSaves, "1/h")
        func save(counts: Bool) async -> (any Error)? {
            do {
                try await responder.rates.counting(BucketKey(Self.token), in: .playerSaves) { ((), counts: counts) }
                return nil
            } catch { return error }
        }
        for _ in 0..<3 { #expect(await save(counts: false) == nil) }
        #expect(await save(counts: true) == nil)
        #expect(Self.isRateLimited(await save(counts: false)))
    }

    @Test("a token loses nothing while its player is over the limit") func beside() throws {
        let responder = try Self.responder(.playerPosts, "2/h")
        for _ in 0..<2 { try responder.rates.limiter.count(BucketKey(Self.player), in: .playerPosts) }
        for _ in 0..<3 {
            try responder.rates.limiter.count(BucketKey(Self.token), in: .playerPosts)
            #expect(throws: Problem.self) {
                try responder.rates.count(Self.player, beside: Self.token, in: .playerPosts)
            }
        }
    }

    @Test("a rename that did not happen does not count") func renames() async throws {
        let responder = try Self.responder(.playerRenames, "1/day")
        let registration = Registration(name: try PlayerName("Eve", field: "name"), source: "test")
        func rename(_ outcome: RegistrationOutcome) async -> (any Error)? {
            do {
                _ = try await responder.rates.countingRenames(of: { BucketKey(Self.player) }, registration) { asked in
                    asked.renames == .refused ? .tooManyRenames : outcome
                }
                return nil
            } catch { return error }
        }
        for _ in 0..<3 { #expect(await rename(.nameRefused) == nil) }
        let renamed = Player(id: Self.player, name: "Eve", wantsUpdates: false, avatar: nil)
        #expect(await rename(.renamed(renamed)) == nil)
        #expect(Self.isRateLimited(await rename(.nameRefused)))
    }

    @Test("a good code takes nothing from the limit of its game") func goodCodes() throws {
        let rates = try Self.responder(.gameFailedCodes, "40/h").rates.limiter
        let address = try #require(IPAddress("203.0.113.1"))
        for _ in 0..<3 {
            #expect(rates.takeGuess(in: .defaultGame, from: address))
            rates.giveBackGuess(in: .defaultGame, from: address)
        }
        #expect(rates.take(BucketKey(Slug.defaultGame), 40, of: .gameFailedCodes) == nil)
    }
}
