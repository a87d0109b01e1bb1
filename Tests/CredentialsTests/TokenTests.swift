import Credentials
import Domain
import Testing

@Suite struct TokenTests {
    @Test(
        "what is generated is printed in 47 characters, read back alike, and never twice the same",
        arguments: [Token.Kind.device, .game, .admin]) func generated(kind: Token.Kind) throws
    {
        var hashes: Set<TokenHash> = []
        for _ in 0..<500 {
            let token = Token.generated(kind)
            #expect(token.text.utf8.count == 47 && token.text.hasPrefix(kind.rawValue))
            #expect(
                token.text.dropFirst(4).utf8.allSatisfy { byte in
                    Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber || byte == 0x2D
                        || byte == 0x5F
                })
            let read = try #require(Token(token.text))
            #expect(read.kind == kind && read.hash == token.hash && read.text == token.text)
            #expect(token.hash.bytes.count == 32)
            hashes.insert(token.hash)
        }
        #expect(hashes.count == 500)
    }

    @Test("the hash is the plain SHA-256 of the 32 bytes: what other tools make of them") func hash() throws {
        let token = try #require(Token("cbd_" + String(repeating: "A", count: 43)))
        #expect(Hex.text(token.hash.bytes) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925")
    }

    @Test("the bytes of an operator's key are no game's key: its hash is of its prefix too") func adminHash() throws {
        let bytes = String(repeating: "A", count: 43)
        let (admin, game) = (try #require(Token("cba_" + bytes)), try #require(Token("cbk_" + bytes)))
        #expect(admin.kind == .admin && game.kind == .game && admin.hash != game.hash)
        // printf 'cba_' | cat - <(head -c 32 /dev/zero) | sha256sum
        #expect(Hex.text(admin.hash.bytes) == "fb1186f1e1e170b7d9310103141ba158303597d3bb233cc383d0d71b1b8df4f4")
        #expect(Credential(authorization: "Bearer \(admin.text)") == .admin(admin.hash))
    }

    // The texts include a bit after the 32 bytes (a final B) and the Kelvin sign, which is K in NFC.
    @Test(
        "a text that is no token in the one form of it is none",
        arguments: [
            "", "cbd_", "cbd_" + String(repeating: "A", count: 42), "cbd_" + String(repeating: "A", count: 44),
            "CBD_" + String(repeating: "A", count: 43), "cbx_" + String(repeating: "A", count: 43),
            String(repeating: "A", count: 47), "cbd_" + String(repeating: "A", count: 42) + "=",
            "cbd_" + String(repeating: "A", count: 42) + "B", "cbd_+" + String(repeating: "A", count: 42),
            "cbd_/" + String(repeating: "A", count: 42), "cbd_!" + String(repeating: "A", count: 42),
            "cbd_ " + String(repeating: "A", count: 42), "cbd_\n" + String(repeating: "A", count: 42),
            "cbd_" + String(repeating: "A", count: 41) + "é", "cbd_" + String(repeating: "A", count: 40) + "\u{212A}",
        ]) func refused(text: String)
    {
        #expect(Token(text) == nil)
        #expect(Credential(authorization: "Bearer \(text)") == nil)
    }

    @Test("a header is Bearer in any case, and then a token: a device's is the player's, cbk_ the game's") func header()
        throws
    {
        let (device, game) = (Token.generated(.device), Token.generated(.game))
        for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
            #expect(Credential(authorization: "\(scheme) \(device.text)") == .player(device.hash))
            #expect(Credential(authorization: "\(scheme) \(game.text)") == .game(game.hash))
        }
        for header in [
            "", "Bearer", "Bearer ", device.text, "Basic \(device.text)", "Bearer\(device.text)",
            "Bearer: \(device.text)", "Bearer \(device.text) \(device.text)", "Bearer \(device.text),",
            "Bearer \"\(device.text)\"", "Bearer " + String(repeating: " ", count: 10_000) + device.text,
            "Bearer \(device.text.lowercased())Z",
        ] { #expect(Credential(authorization: header) == nil) }
    }

    @Test("a sealed text holds for its purpose, its secret and its spelling alone, whatever its length") func sealed()
        throws
    {
        let secret = try #require(Secret(hex: String(repeating: "5eed", count: 16)))
        let other = try #require(Secret(hex: String(repeating: "0", count: 64)))
        for count in [0, 1, 7, 8, 9, 100, 255] {
            let content = [UInt8](repeating: 7, count: count)
            let cursor = try #require(secret.sealed(content, for: .cursor))
            let link = try #require(secret.sealed(content, for: .unsubscribing))
            #expect(cursor != link && secret.sealed(content, for: .cursor) == cursor)
            #expect(secret.opened(cursor, for: .cursor) == content && secret.opened(cursor, for: .unsubscribing) == nil)
            #expect(secret.opened(link, for: .unsubscribing) == content && secret.opened(link, for: .cursor) == nil)
            #expect(other.opened(cursor, for: .cursor) == nil)
            for index in cursor.indices {
                var changed = cursor
                changed.replaceSubrange(index...index, with: cursor[index] == "A" ? "B" : "A")
                #expect(secret.opened(changed, for: .cursor) == nil)
            }
            for spelling in [cursor + "=", cursor + " ", " " + cursor, cursor + "A", String(cursor.dropLast())] {
                #expect(secret.opened(spelling, for: .cursor) == nil)
            }
        }
    }

    @Test("a link to end updates names its player, and no cursor of the same bytes does") func unsubscribing() throws {
        let secret = try #require(Secret(hex: String(repeating: "5eed", count: 16)))
        for id in [1, 402_584_080_446_809, 9_007_199_254_740_991] as [Int64] {
            let link = try #require(secret.unsubscribing(Player.ID(rawValue: id)))
            #expect(secret.player(unsubscribing: link) == Player.ID(rawValue: id))
            let cursor = try #require(secret.sealed(Array(String(id).utf8), for: .cursor))
            #expect(secret.player(unsubscribing: cursor) == nil)
        }
        for text in ["", "1", "A", String(repeating: "A", count: 100_000)] {
            #expect(secret.player(unsubscribing: text) == nil)
        }
    }

    @Test("a device is the same one in both protocols; in another game, or as a game's own id, it is another")
    func hashes() throws {
        let secret = try #require(Secret(hex: String(repeating: "5eed", count: 16)))
        let other = try #require(Secret(hex: String(repeating: "0", count: 64)))
        let text = "2BEF0B11-cff5.{1}_x:7"
        let label = try DeviceLabel(text, field: "id")
        let hash = secret.hash(of: label, in: .defaultGame)
        #expect(hash == secret.hash(of: try DeviceID(text, field: "phone"), in: .defaultGame))
        #expect(hash.bytes.count == 32)
        let others = [
            secret.hash(of: label, in: try #require(Slug("maze"))), secret.hash(ofExternal: label, in: .defaultGame),
            other.hash(of: label, in: .defaultGame),
            secret.hash(of: try DeviceLabel(text.lowercased(), field: "id"), in: .defaultGame),
        ]
        #expect(Set(others + [hash]).count == 5)
    }
}
