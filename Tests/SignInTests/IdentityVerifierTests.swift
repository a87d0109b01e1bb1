import Credentials
import Crypto
import CryptoExtras
import Domain
import Foundation
import Outgoing
import Testing

@testable import SignIn

/// Which ID tokens sign a player in, and which attacks do not.
@Suite struct IdentityVerifierTests {
    private static let now = TestIssuer.now
    private let secret: Secret
    private let issuer: TestIssuer
    private let token = TokenHash(bytes: (0..<32).map { UInt8($0) })
    private let answers = TestAnswers()
    private let provider: IdentityProvider

    init() throws {
        secret = try #require(Secret(hex: String(repeating: "0a", count: 32)))
        issuer = try TestIssuer()
        provider = try IdentityProvider(
            kind: .oidc, audiences: ["game", "game.web"], issuer: "https://issuer.example",
            keys: "https://issuer.example/keys")
        answers.set("https://issuer.example/keys", try issuer.set())
    }

    private var nonce: SignInNonce { secret.signInNonce(for: token, at: Self.now) }
    private var claims: TestClaims { TestClaims(nonce: nonce.text) }

    private func outcome(_ text: String, _ provider: IdentityProvider? = nil, nonce: SignInNonce? = nil) async throws
        -> Result<VerifiedIdentity, IdentityError>
    {
        let keys = answers.keys()
        let verifier = IdentityVerifier(keys: keys)
        let (provider, nonce) = (provider ?? self.provider, nonce ?? self.nonce)
        return try await running(keys) {
            do throws(IdentityError) {
                return .success(try await verifier.verify(text, by: provider, nonce: nonce, now: Self.now))
            } catch { return .failure(error) }
        }
    }

    private func refusal(_ text: String, _ provider: IdentityProvider? = nil, nonce: SignInNonce? = nil) async throws
        -> IdentityRefusal?
    {
        switch try await outcome(text, provider, nonce: nonce) {
        case .success: return nil
        case .failure(.refused(let refusal)): return refusal
        case .failure(let error): throw error
        }
    }

    @Test("a good token of either algorithm says who it is") func good() async throws {
        let identity = VerifiedIdentity(issuer: "https://issuer.example", subject: "player 1")
        #expect(try await outcome(issuer.token(claims)) == .success(identity))
        #expect(try await outcome(issuer.tokenOfP256(claims)) == .success(identity))
    }

    // MARK: - The algorithm

    @Test("a token without a signature is refused", arguments: ["none", "None", "NONE", "nOnE", ""]) func none(
        algorithm: String
    ) async throws {
        let header = TestIssuer.text(Array(#"{"alg":"\#(algorithm)","kid":"r"}"#.utf8))
        let payload = TestIssuer.text(Array(claims.json.utf8))
        #expect(try await refusal("\(header).\(payload).") == .algorithm)
        let signature = try issuer.token(claims).split(separator: ".")[2]
        #expect(try await refusal("\(header).\(payload).\(signature)") == .algorithm)
    }

    @Test("the public key is no shared key") func sharedKey() async throws {
        let input =
            TestIssuer.text(Array(#"{"alg":"HS256","kid":"r"}"#.utf8)) + "." + TestIssuer.text(Array(claims.json.utf8))
        let key = issuer.rsa.publicKey
        let texts: [Data] = [
            Data(key.pemRepresentation.utf8), key.derRepresentation, key.pkcs1DERRepresentation,
            try key.getKeyPrimitives().modulus, Data(),
        ]
        for text in texts {
            let code = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: SymmetricKey(data: text))
            #expect(try await refusal("\(input).\(TestIssuer.text(Data(code)))") == .algorithm)
        }
    }

    @Test("the key decides the algorithm, and the header must agree") func otherAlgorithms() async throws {
        for name in ["RS384", "RS512", "PS256", "ES384", "EdDSA", "rs256"] {
            #expect(try await refusal(issuer.token(claims, header: #"{"alg":"\#(name)","kid":"r"}"#)) == .algorithm)
        }
        #expect(try await refusal(issuer.token(claims, header: #"{"alg":"ES256","kid":"r"}"#)) == .algorithm)
        #expect(try await refusal(issuer.token(claims, header: #"{"alg":"RS256","kid":"e"}"#)) == .algorithm)
        #expect(try await refusal(issuer.token(claims, header: #"{"alg":"ES256","kid":"e"}"#)) == .signature)
    }

    // MARK: - The key

    @Test("a key in the header, or its address, is not used") func carriedKeys() async throws {
        let own = try TestIssuer.jwk(issuer.strangersRSA.publicKey)
        answers.set("https://stranger.example/keys", TestIssuer.set([own]))
        for more in [
            #""jwk":\#(own)"#, #""jku":"https://stranger.example/keys""#, #""x5u":"https://stranger.example/keys""#,
            #""x5c":["MIIB"]"#,
        ] {
            let text = try issuer.signed(#"{"alg":"RS256","kid":"r",\#(more)}"#, claims.json) {
                try issuer.strangersRSA.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5)
            }
            #expect(try await refusal(text) == .signature)
        }
        #expect(Set(answers.asked) == ["https://issuer.example/keys"])
    }

    @Test("a token names its key") func keyNames() async throws {
        for kid in [#""kid":"x""#, #""kid":"../r""#, #""kid":"R""#, #""kid":"""#, #""x":1"#] {
            #expect(try await refusal(issuer.token(claims, header: #"{"alg":"RS256",\#(kid)}"#)) == .unknownKey)
        }
        let long = String(repeating: "k", count: 257)
        #expect(try await refusal(issuer.token(claims, header: #"{"alg":"RS256","kid":"\#(long)"}"#)) == .unknownKey)
        #expect(try await refusal(issuer.token(claims, header: #"{"alg":"RS256","kid":7}"#)) == .malformed)
    }

    // MARK: - The signature

    @Test("what is signed cannot be changed, and a signature is whole") func signatures() async throws {
        let parts = try issuer.token(claims).split(separator: ".").map(String.init)
        let other = try issuer.token(claims.with("sub", #""player 2""#)).split(separator: ".").map(String.init)
        #expect(try await refusal("\(parts[0]).\(other[1]).\(parts[2])") == .signature)
        let bytes = try #require(base64URLDecoded(parts[2].utf8))
        for changed in [
            [], Array(bytes.dropLast()), bytes + [0], [0] + bytes, Array(repeating: 0, count: 256),
            Array(repeating: 255, count: 256), bytes.map { $0 ^ 1 },
        ] as [[UInt8]] {
            #expect(try await refusal("\(parts[0]).\(parts[1]).\(TestIssuer.text(changed))") == .signature)
        }
        let points = try issuer.tokenOfP256(claims).split(separator: ".").map(String.init)
        let point = try #require(base64URLDecoded(points[2].utf8))
        for changed in [[], Array(point.dropLast()), point + [0], Array(repeating: 0, count: 64)] as [[UInt8]] {
            #expect(try await refusal("\(points[0]).\(points[1]).\(TestIssuer.text(changed))") == .signature)
        }
    }

    @Test("a token has one spelling") func spellings() async throws {
        let text = try issuer.token(claims)
        let parts = text.split(separator: ".").map(String.init)
        for changed in [
            text + "=", text + "\n", " " + text, text + ".", "." + text, "\(parts[0]).\(parts[1])", parts[0], "", "..",
            "\(parts[0]). \(parts[1]).\(parts[2])", "\(text).\(parts[1]).\(parts[2])",
            text.replacing("_", with: "/").replacing("-", with: "+") + "+",
        ] { #expect(try await refusal(changed) == .malformed, "\(changed)") }
        // The last letter of 256 bytes has bits that nothing needs.
        let last = try #require(text.last)
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let index = try #require(letters.firstIndex(of: last))
        #expect(try await refusal(String(text.dropLast()) + String(letters[index ^ 1])) == .malformed)
    }

    @Test("a header that nobody understands is refused, and another kind of token") func headers() async throws {
        for crit in [#"["exp"]"#, "[]", "null"] {
            let header = #"{"alg":"RS256","kid":"r","crit":\#(crit)}"#
            #expect(try await refusal(issuer.token(claims, header: header)) == .critical)
        }
        for type in ["at+jwt", "logout+jwt", "dpop+jwt", "", "JWE"] {
            let header = #"{"alg":"RS256","kid":"r","typ":"\#(type)"}"#
            #expect(try await refusal(issuer.token(claims, header: header)) == .notIDToken)
        }
        #expect(try await refusal(issuer.token(claims, header: #"{"alg":"RS256","kid":"r","typ":"jwt"}"#)) == nil)
        for header in ["", "[]", "{", "{}", #"{"alg":5,"kid":"r"}"#, "\u{0}"] {
            #expect(try await refusal(issuer.token(claims, header: header)) == .malformed, "\(header)")
        }
    }

    @Test("length is bounded before anything else") func lengths() async throws {
        let room = 8_192 - (try issuer.token(claims.with("x", #""""#)).utf8.count)
        let filled = try issuer.token(claims.with("x", "\"\(String(repeating: "y", count: room / 4 * 3 - 3))\""))
        #expect(filled.utf8.count <= 8_192)
        #expect(try await refusal(filled) == nil)
        #expect(try await refusal(String(repeating: "a", count: 8_193)) == .tooLong)
        let header = #"{"alg":"RS256","kid":"r","x":"\#(String(repeating: "y", count: 1_024))"}"#
        #expect(try await refusal(issuer.token(claims, header: header)) == .malformed)
    }

    @Test("deep and odd claims are refused and do not end the process") func oddClaims() async throws {
        let deep = String(repeating: "[", count: 2_500) + String(repeating: "]", count: 2_500)
        for json in [
            "", "null", "[]", "5", "{", #"{"iss":1}"#, claims.with("x", deep).json, claims.with("exp", "1e999").json,
            claims.with("exp", "\"2000000000\"").json, claims.with("iat", "null").json, claims.with("iat", nil).json,
            claims.with("exp", nil).json, claims.with("iss", nil).json, claims.with("sub", nil).json,
            claims.with("sub", "7").json, claims.with("aud", nil).json, claims.with("aud", "7").json,
            claims.with("aud", #"["game",7]"#).json, claims.with("aud", "{}").json, claims.with("nonce", "7").json,
            claims.with("azp", "7").json, claims.with("nbf", "true").json, "\u{0}\u{0}",
        ] {
            let text = try issuer.signed(#"{"alg":"RS256","kid":"r"}"#, json) {
                try issuer.rsa.signature(for: SHA256.hash(data: $0), padding: .insecurePKCS1v1_5)
            }
            #expect(try await refusal(text) == .malformed, "\(json.prefix(200))")
        }
    }

    // MARK: - Claims

    @Test("the issuer is compared byte for byte") func issuers() async throws {
        for name in [
            "https://issuer.example/", "https://ISSUER.example", "http://issuer.example", "issuer.example", "",
            "https://issuer.example.stranger.example", "https://accounts.google.com",
        ] { #expect(try await refusal(issuer.token(claims.with("iss", "\"\(name)\""))) == .issuer, "\(name)") }
    }

    @Test("a token of another game's audience is refused") func audiences() async throws {
        for (audience, party, expected) in [
            (#""game""#, nil, nil), (#"["game"]"#, nil, nil), (#""game.web""#, nil, nil), (#""other""#, nil, .audience),
            (#""Game""#, nil, .audience), ("[]", nil, .audience), (#"["game","other"]"#, #""game""#, .audience),
            (#"["game","game.web"]"#, nil, .party), (#"["game","game.web"]"#, #""game""#, nil),
            (#"["game","game.web"]"#, #""other""#, .party), (#""game""#, #""game.web""#, nil),
            (#""game""#, #""other""#, .party),
            ("[" + Array(repeating: #""game""#, count: 11).joined(separator: ",") + "]", #""game""#, .audience),
        ] as [(String, String?, IdentityRefusal?)] {
            let text = try issuer.token(claims.with("aud", audience).with("azp", party))
            #expect(try await refusal(text) == expected, "\(audience) \(party ?? "")")
        }
    }

    @Test("times are judged with a minute of grace") func times() async throws {
        let second = Self.now.microsecondsSince1970 / 1_000_000
        for (claim, offset, expected) in [
            ("exp", -59, nil), ("exp", -60, .expired), ("exp", -100_000, .expired), ("iat", 60, nil),
            ("iat", 61, .early), ("nbf", 60, nil), ("nbf", 61, .early), ("iat", -100_000, nil),
        ] as [(String, Int64, IdentityRefusal?)] {
            let text = try issuer.token(claims.with(claim, "\(second + offset)"))
            #expect(try await refusal(text) == expected, "\(claim) \(offset)")
        }
        #expect(try await refusal(issuer.token(claims.with("exp", "\(second).5e0"))) == nil)
        for huge in ["1e300", "9223372036854775807", "18446744073709551616"] {
            #expect(try await refusal(issuer.token(claims.with("exp", huge))) == nil)
            #expect(try await refusal(issuer.token(claims.with("iat", huge))) == .early)
            #expect(try await refusal(issuer.token(claims.with("exp", "-\(huge)"))) == .expired)
        }
    }

    @Test("the token names the nonce of the device that sends it") func nonces() async throws {
        #expect(try await refusal(issuer.token(claims.with("nonce", nil))) == .nonce)
        #expect(try await refusal(issuer.token(claims.with("nonce", "null"))) == .nonce)
        #expect(try await refusal(issuer.token(claims.with("nonce", "\"\""))) == .nonce)
        let strangers = secret.signInNonce(for: TokenHash(bytes: Array(repeating: 9, count: 32)), at: Self.now)
        #expect(try await refusal(issuer.token(claims), nonce: strangers) == .nonce)
        #expect(try await refusal(issuer.token(TestClaims(nonce: strangers.text))) == .nonce)
        let digest = Data(SHA256.hash(data: Data(nonce.text.utf8)))
        for text in [Hex.text(Array(digest)), Hex.text(Array(digest)).uppercased(), TestIssuer.text(digest)] {
            #expect(try await refusal(issuer.token(TestClaims(nonce: text))) == nil)
        }
        #expect(try await refusal(issuer.token(TestClaims(nonce: digest.base64EncodedString()))) == .nonce)
    }

    @Test("a subject has 1 to 255 bytes") func subjects() async throws {
        let longest = String(repeating: "s", count: 255)
        #expect(try await refusal(issuer.token(claims.with("sub", "\"\(longest)\""))) == nil)
        #expect(try await refusal(issuer.token(claims.with("sub", "\"\(longest)s\""))) == .subject)
        #expect(try await refusal(issuer.token(claims.with("sub", "\"\""))) == .subject)
    }

    // MARK: - Known issuers

    @Test("both spellings of Google and of Facebook are one issuer, so that one person is one identity") func known()
        async throws
    {
        answers.set("https://www.googleapis.com/oauth2/v3/certs", try issuer.set())
        answers.set("https://limited.facebook.com/.well-known/oauth/openid/jwks/", try issuer.set())
        answers.set("https://appleid.apple.com/auth/keys", try issuer.set())
        for (kind, names) in [
            (.google, ["https://accounts.google.com", "accounts.google.com"]),
            (.facebook, ["https://www.facebook.com", "https://limited.facebook.com"]),
            (.apple, ["https://appleid.apple.com"]),
        ] as [(IdentityProvider.Kind, [String])] {
            let provider = try IdentityProvider(kind: kind, audiences: ["game"])
            var found: Set<VerifiedIdentity> = []
            for name in names {
                let text = try issuer.token(TestClaims(nonce: nonce.text, issuer: name))
                found.insert(try await outcome(text, provider).get())
            }
            #expect(found == [VerifiedIdentity(issuer: names[0], subject: "player 1")])
            let other = try issuer.token(TestClaims(nonce: nonce.text, issuer: "https://issuer.example"))
            #expect(try await refusal(other, provider) == .issuer)
        }
    }

    @Test("only Google's one audience may come with another app of its project") func partiesOfGoogle() async throws {
        answers.set("https://www.googleapis.com/oauth2/v3/certs", try issuer.set())
        answers.set("https://appleid.apple.com/auth/keys", try issuer.set())
        for (kind, name, expected) in [
            (.google, "https://accounts.google.com", nil), (.apple, "https://appleid.apple.com", .party),
        ] as [(IdentityProvider.Kind, String, IdentityRefusal?)] {
            let provider = try IdentityProvider(kind: kind, audiences: ["game", "web"])
            let claims = TestClaims(nonce: nonce.text, issuer: name).with("azp", #""android""#)
            #expect(try await refusal(issuer.token(claims), provider) == expected)
            let several = claims.with("aud", #"["game","web"]"#)
            #expect(try await refusal(issuer.token(several), provider) == .party)
        }
    }

    @Test("an issuer that is away is no refusal") func away() async throws {
        answers.set("https://issuer.example/keys", .failure(.late))
        #expect(try await outcome(issuer.token(claims)) == .failure(.issuerAway(retryAfterSeconds: 11)))
    }
}
