import Crypto
import Domain
import Outgoing
import Synchronization
import Testing

@testable import SignIn

/// When the keys of an issuer are fetched, and what callers get meanwhile.
@Suite struct IssuerKeysTests {
    private static let address = "https://issuer.example/keys"
    private let issuer: TestIssuer
    private let answers = TestAnswers()
    private let clock = TestClock()
    private let source: KeySource

    init() throws {
        issuer = try TestIssuer()
        source = .address(try #require(OutgoingURL(Self.address)))
        answers.set(Self.address, try issuer.set(), cacheControl: "max-age=600")
    }

    private func failure(_ keys: IssuerKeys, _ id: String = "r", of source: KeySource? = nil) async -> IdentityError? {
        do throws(IdentityError) {
            _ = try await keys.key(id, of: source ?? self.source)
            return nil
        } catch { return error }
    }

    @Test("many callers at once share one fetch") func shared() async throws {
        let keys = answers.keys(clock: clock)
        try await running(keys) {
            answers.hold()
            // A test that fails must not leave the service waiting.
            defer { answers.letGo() }
            await withTaskGroup { group in
                for number in 0..<100 {
                    group.addTask { #expect(await failure(keys, number % 2 == 0 ? "r" : "e") == nil) }
                }
                try? await until { answers.asked.count == 1 }
                answers.letGo()
            }
            #expect(answers.asked == [Self.address])
            #expect(keys.uses.map(\.address) == [Self.address])
        }
    }

    @Test("names that nobody knows begin one fetch a minute") func unknown() async throws {
        let keys = answers.keys(clock: clock)
        try await running(keys) {
            #expect(await failure(keys) == nil)
            for number in 0..<50 { #expect(await failure(keys, "x\(number)") == .refused(.unknownKey)) }
            #expect(answers.asked.count == 1)
            clock.advance(seconds: 60)
            for number in 0..<50 { #expect(await failure(keys, "x\(number)") == .refused(.unknownKey)) }
            #expect(answers.asked.count == 2)
        }
    }

    @Test("a key that the issuer has added is found, and one that it has withdrawn is not") func rotation() async throws
    {
        let keys = answers.keys(clock: clock)
        try await running(keys) {
            #expect(await failure(keys) == nil)
            answers.set(Self.address, TestIssuer.set([TestIssuer.jwk(issuer.p256.publicKey, kid: "new")]))
            clock.advance(seconds: 60)
            #expect(await failure(keys, "new") == nil)
            #expect(await failure(keys) == .refused(.unknownKey))
            #expect(answers.asked.count == 2)
        }
    }

    @Test("keys that are not fresh are used while they are fetched again") func stale() async throws {
        let keys = answers.keys(clock: clock)
        try await running(keys) {
            #expect(await failure(keys) == nil)
            clock.advance(seconds: 599)
            #expect(await failure(keys) == nil)
            #expect(answers.asked.count == 1)
            clock.advance(seconds: 1)
            answers.hold()
            defer { answers.letGo() }
            #expect(await failure(keys) == nil)
            #expect(await failure(keys) == nil)
            try await until { answers.asked.count == 2 }
            answers.letGo()
            try await until { keys.uses.first?.age == .zero }
            #expect(await failure(keys) == nil)
            #expect(answers.asked.count == 2)
        }
    }

    @Test("while the issuer is away known keys are used for a day, and then none") func away() async throws {
        let keys = answers.keys(clock: clock)
        try await running(keys) {
            #expect(await failure(keys) == nil)
            answers.set(Self.address, .failure(.unreachable))
            clock.advance(seconds: 86_399)
            #expect(await failure(keys) == nil)
            try await until { answers.asked.count == 2 }
            clock.advance(seconds: 1)
            guard case .issuerAway = await failure(keys) else {
                Issue.record("keys of a day ago are used")
                return
            }
            clock.advance(seconds: 10)
            answers.set(Self.address, try issuer.set())
            #expect(await failure(keys) == nil)
        }
    }

    @Test("an issuer that was away is asked again after ten seconds, and every caller is told when") func retries()
        async throws
    {
        answers.set(Self.address, .failure(.late))
        let keys = answers.keys(clock: clock)
        try await running(keys) {
            #expect(await failure(keys) == .issuerAway(retryAfterSeconds: 11))
            clock.advance(seconds: 4)
            #expect(await failure(keys) == .issuerAway(retryAfterSeconds: 7))
            #expect(answers.asked.count == 1)
            clock.advance(seconds: 6)
            #expect(await failure(keys) == .issuerAway(retryAfterSeconds: 11))
            #expect(answers.asked.count == 2)
            clock.advance(seconds: 10)
            answers.set(Self.address, "{}")
            #expect(await failure(keys) == .issuerAway(retryAfterSeconds: 11))
            clock.advance(seconds: 10)
            answers.set(Self.address, try issuer.set())
            #expect(await failure(keys) == nil)
        }
    }

    @Test("a name that is not known is no refusal while the issuer cannot be asked") func unknownWhileAway()
        async throws
    {
        let keys = answers.keys(clock: clock)
        try await running(keys) {
            #expect(await failure(keys) == nil)
            answers.set(Self.address, .failure(.unreachable))
            clock.advance(seconds: 60)
            #expect(await failure(keys, "new") == .issuerAway(retryAfterSeconds: 11))
            #expect(await failure(keys) == nil)
        }
    }

    @Test("keys are fresh for as long as the issuer says, within bounds") func freshness() {
        for (header, seconds) in [
            (nil, 3_600), ("max-age=600", 600), ("public, max-age=22333, must-revalidate", 22_333),
            ("MAX-AGE=600", 600), ("max-age=1", 300), ("max-age=0", 300), ("max-age=-5", 300),
            ("max-age=99999999999999999999", 300), ("max-age=604800", 43_200), ("max-age=x", 300), ("no-store", 300),
            ("no-cache, max-age=9999", 300), ("private", 3_600), ("", 3_600), ("s-maxage=5", 3_600),
        ] as [(String?, Int64)] { #expect(KeySource.freshSeconds(header) == seconds, "\(header ?? "none")") }
    }

    @Test("an issuer's configuration leads to its keys, and must be its own") func configuration() async throws {
        let place = "https://issuer.example/.well-known/openid-configuration"
        for (name, issuer) in [("https://issuer.example", "https://issuer.example"), ("https://issuer.example/", "x")] {
            let provider = try IdentityProvider(kind: .oidc, audiences: ["game"], issuer: name)
            let source = try Issuer(of: provider).keys
            answers.set(place, #"{"issuer":"\#(issuer)","jwks_uri":"https://issuer.example/keys"}"#)
            let keys = answers.keys(clock: clock)
            try await running(keys) {
                if issuer == name {
                    #expect(await failure(keys, of: source) == nil)
                } else {
                    #expect(await failure(keys, of: source) == .issuerAway(retryAfterSeconds: 11))
                }
            }
        }
        #expect(answers.asked == [place, Self.address, place])
        let provider = try IdentityProvider(kind: .oidc, audiences: ["game"], issuer: "https://issuer.example")
        let source = try Issuer(of: provider).keys
        for document in [
            "", "{}", #"{"issuer":"https://issuer.example"}"#,
            #"{"issuer":"https://issuer.example","jwks_uri":"http://issuer.example/keys"}"#,
            #"{"issuer":"https://issuer.example","jwks_uri":"https://127.0.0.1/keys"}"#,
            #"{"issuer":"https://issuer.example","jwks_uri":5}"#,
        ] {
            answers.set(place, document)
            let keys = answers.keys(clock: clock)
            try await running(keys) {
                #expect(await failure(keys, of: source) == .issuerAway(retryAfterSeconds: 11), "\(document)")
            }
        }
    }

    @Test("a caller who gives up does not wait for the fetch") func cancelled() async throws {
        let keys = answers.keys(clock: clock)
        try await running(keys) {
            answers.hold()
            // A test that fails must not leave the service waiting.
            defer { answers.letGo() }
            let asking = Task { await failure(keys) }
            try await until { !answers.asked.isEmpty }
            asking.cancel()
            #expect(await asking.value == .issuerAway(retryAfterSeconds: 1))
            answers.letGo()
            #expect(await failure(keys) == nil)
        }
    }

    @Test("when the service ends, nobody waits any more") func ended() async throws {
        let keys = answers.keys(clock: clock)
        answers.hold()
        defer { answers.letGo() }
        let serving = Task { await keys.run() }
        let asking = Task { await failure(keys) }
        try await until { !answers.asked.isEmpty }
        serving.cancel()
        answers.letGo()
        await serving.value
        _ = await asking.value
        #expect(await failure(keys, "new") == .issuerAway(retryAfterSeconds: 1))
    }

    @Test("the issuer that was used longest ago makes room for others") func room() async throws {
        let keys = answers.keys(clock: clock)
        let sources = try (0...Limits.issuersMax).map { number in
            let address = "https://i\(number).example/"
            answers.set(address, try issuer.set())
            return KeySource.address(try #require(OutgoingURL(address)))
        }
        try await running(keys) {
            for source in sources {
                clock.advance(seconds: 1)
                #expect(await failure(keys, of: source) == nil)
            }
            #expect(keys.uses.count == Limits.issuersMax)
            #expect(!keys.uses.contains { $0.address == "https://i0.example/" })
            #expect(await failure(keys, of: sources[0]) == nil)
            #expect(keys.uses.count == Limits.issuersMax)
        }
    }
}
