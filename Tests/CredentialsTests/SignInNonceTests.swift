import Domain
import Testing

@testable import Credentials

/// The nonce that binds an ID token to a device, and the hash under which an identity is stored.
@Suite struct SignInNonceTests {
    private static let made = Instant(microsecondsSince1970: 1_795_262_400_000_000)
    /// The SHA-256 of 32 bytes from 0x20 on, as the token of the signing article.
    private let token: TokenHash
    private let secret: Secret

    init() throws {
        secret = try #require(Secret(hex: Hex.text((0..<32).map { UInt8($0) })))
        token = try #require(Token("cbd_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8")).hash
    }

    private func refusal(_ text: String, after seconds: Int64 = 0, of token: TokenHash? = nil) -> SignInNonceRefusal? {
        do throws(SignInNonceRefusal) {
            _ = try secret.signInNonce(text, of: token ?? self.token, at: Self.made.advanced(bySeconds: seconds))
            return nil
        } catch { return error }
    }

    @Test("a nonce has the bytes of the published vector, and a token names it by its text or its hash") func vector()
        throws
    {
        let nonce = secret.signInNonce(for: token, at: Self.made)
        #expect(nonce.text == "AAAAAGsBh8DSVloN7iZHdyH8RdtA8Ol_")
        let digest = "024e2aa9c98d3f28d34b4e7becb60467afd441f2bc047640bc8dddb45d707832"
        for claim in [nonce.text, digest, digest.uppercased(), "Ak4qqcmNPyjTS0577LYEZ6_UQfK8BHZAvI3dtF1weDI"] {
            #expect(nonce.isNamed(by: claim), "\(claim)")
        }
        for claim in ["", String(nonce.text.dropLast()), nonce.text + "=", digest + "0", String(digest.dropLast())] {
            #expect(!nonce.isNamed(by: claim), "\(claim)")
        }
    }

    @Test("a nonce is good for ten minutes, on servers whose clocks differ by a minute") func times() {
        let text = secret.signInNonce(for: token, at: Self.made).text
        for seconds in [-60, -1, 0, 599] as [Int64] { #expect(refusal(text, after: seconds) == nil, "\(seconds)") }
        #expect(refusal(text, after: -61) == .foreign)
        #expect(refusal(text, after: 600) == .expired)
        #expect(Secret.signInNonceEnd(at: Self.made) == Self.made.advanced(bySeconds: 600))
    }

    @Test("a nonce is of one device's token and one installation") func foreign() throws {
        let text = secret.signInNonce(for: token, at: Self.made).text
        #expect(refusal(text, of: TokenHash(bytes: Array(repeating: 1, count: 32))) == .foreign)
        let other = try #require(Secret(hex: String(repeating: "1", count: 64)))
        #expect(refusal(other.signInNonce(for: token, at: Self.made).text) == .foreign)
        for index in text.indices {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(refusal(changed) == .foreign)
        }
        for text in [
            "", text + "A", String(text.dropLast()), String(repeating: "-", count: 32), "é" + text.dropLast(2),
        ] { #expect(refusal(text) == .foreign, "\(text)") }
    }

    @Test("an identity is hashed with its game and issuer, and no two triples run together") func identities() throws {
        let games = try ["maze", "maz", "e"].map { try #require(Slug($0)) }
        var hashes: Set<IdentityHash> = []
        for (game, issuer, subject) in [
            (games[0], "https://a.example", "1"), (games[0], "https://a.example", "11"),
            (games[0], "https://a.example1", "1"), (games[1], "https://a.example", "1"),
            (games[1], "ehttps://a.example", "1"), (games[2], "", ""),
        ] { hashes.insert(secret.hash(ofIdentity: subject, at: issuer, in: game)) }
        #expect(hashes.count == 6)
        let other = try #require(Secret(hex: String(repeating: "1", count: 64)))
        #expect(!hashes.contains(other.hash(ofIdentity: "1", at: "https://a.example", in: games[0])))
    }
}
