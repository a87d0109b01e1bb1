import Credentials
import Domain
import Testing

@Suite struct SignKeyTests {
    /// What the signature of the contract's example covers.
    private struct Post {
        var method = "PUT"
        var target = "/v1/games/maze/boards/lap/scores/0b7c6f0e-3c8e-4c5a-9c1d-2f4b8a6d1e00"
        var seconds = "1795262400"
        var body = Array(#"{"points":61500}"#.utf8)
        var code = "bf434b8fbe0a9eebff54d0c4354c05328028050761b829d31ea8f3c5c624b6c0"

        func isMade(by key: SignKey) -> Bool {
            guard let signature = RequestSignature("t=\(seconds),v1=\(code)") else { return false }
            return body.withUnsafeBytes { key.made(signature, method: method, target: target, body: $0) }
        }
    }

    private static func bytes(_ range: ClosedRange<UInt8>) -> String { Hex.text(Array(range)) }

    /// The example's secret is the bytes 00…1f, and its token the bytes 20…3f.
    private static let token = "cbd_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8"

    private static func key(secret: String = bytes(0...31), token: String = token) throws -> SignKey {
        try #require(Secret(hex: secret)).signKey(of: try #require(Token(token)).hash)
    }

    @Test("the contract's example gives the contract's key and signature, byte for byte") func example() throws {
        let key = try Self.key()
        #expect(key.text == "cbs_OspMc2FwjfqXOSBEI8WIg8T3rh1Q8N3zWyz0hNAXK_0")
        #expect(Post().isMade(by: key))
    }

    @Test("no byte of method, path, body, time or code may be another one") func altered() throws {
        let key = try Self.key()
        func isMade(_ change: (inout Post) -> Void) -> Bool {
            var post = Post()
            change(&post)
            return post.isMade(by: key)
        }
        func variants(of text: String) -> [String] {
            let bytes = Array(text.utf8)
            var variants = [text + " ", " " + text, text + "\n", ""]
            for index in bytes.indices {
                for bit: UInt8 in [1, 0x20, 0x40] {
                    var changed = bytes
                    changed[index] ^= bit
                    variants.append(String(decoding: changed, as: UTF8.self))
                }
                var shorter = bytes
                shorter.remove(at: index)
                variants.append(String(decoding: shorter, as: UTF8.self))
            }
            return variants.filter { $0 != text }
        }
        let post = Post()
        for text in variants(of: post.method) + ["put", "POST", "GET"] {
            #expect(!isMade { $0.method = text }, "\(text)")
        }
        for text in variants(of: post.target) { #expect(!isMade { $0.target = text }, "\(text)") }
        for text in variants(of: post.seconds) + ["01795262400", "+1795262400", "1795262401", "1795262399"] {
            #expect(!isMade { $0.seconds = text }, "\(text)")
        }
        for text in variants(of: post.code) + [post.code.uppercased(), post.code + "00"] {
            #expect(!isMade { $0.code = text }, "\(text)")
        }
        for text in variants(of: #"{"points":61500}"#) + [#"{"points": 61500}"#] {
            #expect(!isMade { $0.body = Array(text.utf8) }, "\(text)")
        }
    }

    @Test("the query is signed with the path, and what it says may not move between them") func query() throws {
        let key = try Self.key()
        for query in ["?", "?a=b", "?points=1", "#", "\n", "%20"] {
            var post = Post()
            post.target += query
            #expect(!post.isMade(by: key), "\(query)")
        }
        // A line feed in one part does not make it the end of it.
        var moved = Post()
        moved.method = "PUT\n" + moved.target
        moved.target = moved.seconds
        #expect(!moved.isMade(by: key))
    }

    @Test("another secret and another token have another key, and that one has not signed") func others() throws {
        let key = try Self.key()
        var texts: Set = [key.text]
        for index in 0..<32 {
            for bit: UInt8 in [1, 0x80] {
                var bytes = Array<UInt8>(0...31)
                bytes[index] ^= bit
                let other = try Self.key(secret: Hex.text(bytes))
                #expect(!Post().isMade(by: other))
                texts.insert(other.text)
                var hash = try #require(Token(Self.token)).hash.bytes
                hash[index] ^= bit
                let another = try #require(Secret(hex: Self.bytes(0...31))).signKey(of: TokenHash(bytes: hash))
                #expect(!Post().isMade(by: another))
                texts.insert(another.text)
            }
        }
        #expect(texts.count == 1 + 32 * 4)
        #expect(texts.allSatisfy { $0.utf8.count == 47 && $0.hasPrefix("cbs_") && Token($0) == nil })
    }
}
