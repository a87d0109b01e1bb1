import Crypto
import CryptoExtras
import Domain
import Foundation
import Testing

@testable import SignIn

/// Which keys of an issuer's document are taken.
@Suite struct SigningKeyTests {
    private let issuer: TestIssuer

    init() throws { issuer = try TestIssuer() }

    private func set(_ keys: [String]) throws -> KeySet { try KeySet(Array(TestIssuer.set(keys).utf8)) }

    private func rsa(_ n: [UInt8], _ e: [UInt8], more: String = "") -> String {
        #"{"kty":"RSA","kid":"r","n":"\#(TestIssuer.text(n))","e":"\#(TestIssuer.text(e))"\#(more)}"#
    }

    @Test("keys of both kinds are read, with and without an algorithm") func kinds() throws {
        let read = try set([TestIssuer.jwk(issuer.rsa.publicKey), TestIssuer.jwk(issuer.p256.publicKey)])
        #expect(read["r"]?.algorithm == .rs256)
        #expect(read["e"]?.algorithm == .es256)
        #expect(read["x"] == nil)
        let more = #","alg":"RS256","use":"sig","key_ops":["verify"],"x5c":["x"],"ext":true"#
        #expect(try set([TestIssuer.jwk(issuer.rsa.publicKey, more: more)])["r"] != nil)
    }

    @Test("a key for another use, of another kind or without a name is passed over") func others() throws {
        let good = TestIssuer.jwk(issuer.p256.publicKey)
        for more in [
            #","use":"enc""#, #","use":"""#, #","alg":"RS512""#, #","alg":"PS256""#, #","alg":"HS256""#,
            #","alg":"none""#, #","key_ops":["sign"]"#, #","key_ops":[]"#,
        ] { #expect(try set([good, TestIssuer.jwk(issuer.rsa.publicKey, more: more)])["r"] == nil, "\(more)") }
        for other in [
            #"{"kty":"oct","kid":"o","k":"AAAA"}"#, #"{"kty":"OKP","crv":"Ed25519","kid":"o","x":"AAAA"}"#,
            #"{"kty":"RSA","kid":"o"}"#, #"{"kty":"RSA","kid":"o","n":5,"e":"AQAB"}"#, "5", "null", "[]", "{}",
            try TestIssuer.jwk(issuer.rsa.publicKey, kid: ""),
            #"{"kty":"EC","crv":"P-256","kid":"o","x":"AA","y":"AA"}"#,
            TestIssuer.jwk(issuer.p256.publicKey, kid: "o").replacing("P-256", with: "P-384"),
        ] {
            let read = try set([good, other])
            #expect(read["o"] == nil && read[""] == nil && read["e"] != nil, "\(other)")
        }
    }

    @Test("weak, huge and odd RSA keys are passed over") func rsaKeys() throws {
        let parts = try issuer.rsa.publicKey.getKeyPrimitives()
        let (n, e) = (Array(parts.modulus), Array(parts.publicExponent))
        #expect(try set([rsa(n, e)])["r"] != nil)
        #expect(try set([rsa(n, [3])])["r"] != nil)
        for (n, e) in [
            (Array(n.prefix(128)), e), (Array(n.prefix(255)), e), ([0] + n, e), (n + n + [1], e),
            ([0x7F] + n.dropFirst(), e), (n, [1]), (n, [0, 1]), (n, [2]), (n, []), (n, [1, 0, 0, 0, 1]), ([], e),
            (Array(repeating: 0, count: 256), e),
        ] as [([UInt8], [UInt8])] { #expect(throws: KeySetError.empty, "\(n.count) \(e)") { try set([rsa(n, e)]) } }
    }

    @Test("a point beside the curve is passed over") func points() throws {
        let raw = issuer.p256.publicKey.rawRepresentation
        for changed in [
            Array(repeating: 0, count: 64), Array(raw.dropLast()) + [(raw.last ?? 0) ^ 1],
            Array(repeating: 255, count: 64), Array(raw.prefix(32)) + Array(raw.prefix(32)),
        ] as [[UInt8]] {
            let (x, y) = (TestIssuer.text(changed.prefix(32)), TestIssuer.text(changed.suffix(32)))
            #expect(throws: KeySetError.empty) {
                try set([#"{"kty":"EC","crv":"P-256","kid":"e","x":"\#(x)","y":"\#(y)"}"#])
            }
        }
    }

    @Test("a document with too many keys, none or two of one name is refused") func documents() throws {
        let key = TestIssuer.jwk(issuer.p256.publicKey)
        let many = (0..<33).map { TestIssuer.jwk(issuer.p256.publicKey, kid: "\($0)") }
        #expect(try set(Array(many.prefix(32)))["31"] != nil)
        #expect(throws: KeySetError.tooMany) { try set(many) }
        #expect(throws: KeySetError.twice) { try set([key, key]) }
        #expect(throws: KeySetError.empty) { try set([]) }
        let deep = #"{"keys":"# + String(repeating: "[", count: 60_000)
        for text in ["", "{}", "[]", #"{"keys":{}}"#, #"{"keys":null}"#, "{\"keys\":[\(key)", deep, "\u{FEFF}"] {
            #expect(throws: KeySetError.malformed, "\(text.prefix(50))") { try KeySet(Array(text.utf8)) }
        }
    }
}
