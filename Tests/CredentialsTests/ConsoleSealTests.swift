import Domain
import Foundation
import Testing

@testable import Credentials

@Suite struct ConsoleSealTests {
    private let secret = Secret(hex: String(repeating: "1f", count: 32))
    private let seal = ConsoleSeal(
        key: TokenHash(bytes: Array(0..<32)), expiresAt: Instant(microsecondsSince1970: 1_795_262_400_000_001))

    @Test("a cookie opens to what was sealed, and any other text to nothing") func roundTrip() throws {
        let secret = try #require(secret)
        let cookie = try #require(secret.consoleCookie(seal))
        #expect(secret.consoleSession(cookie) == seal)
        var letters = Array(cookie)
        for index in letters.indices {
            let kept = letters[index]
            letters[index] = kept == "A" ? "B" : "A"
            #expect(secret.consoleSession(String(letters)) == nil, "letter \(index)")
            letters[index] = kept
        }
        let other = try #require(Secret(hex: String(repeating: "2e", count: 32)))
        #expect(other.consoleSession(cookie) == nil, "a secret of another installation")
        let bytes = seal.key.bytes + seal.nonce + Array(repeating: 0, count: 8)
        let cursor = try #require(secret.sealed(bytes, for: .cursor))
        #expect(secret.consoleSession(cursor) == nil, "sealed for another purpose")
        #expect(secret.consoleSession("") == nil)
    }

    @Test("the token of a form is good for one session and one id") func formTokens() throws {
        let secret = try #require(secret)
        let id = UUID()
        let token = secret.formToken(seal, id)
        #expect(secret.isFormToken(token, seal, id))
        let again = ConsoleSeal(key: seal.key, expiresAt: seal.expiresAt)
        #expect(again.nonce != seal.nonce, "each session has a nonce of its own")
        #expect(!secret.isFormToken(token, again, id) && !secret.isFormToken(token, seal, UUID()))
        for wrong in [
            "", String(token.dropLast()), token + "0", String(repeating: "0", count: 64), "é" + token.dropLast(2),
        ] { #expect(!secret.isFormToken(wrong, seal, id)) }
    }
}
