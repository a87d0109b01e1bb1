import Domain
import Testing

@Suite struct AvatarHashTests {
    private let hex = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

    @Test("64 hex digits of any case are a hash, written in lower case") func good() throws {
        let hash = try #require(AvatarHash(hex: hex.uppercased()))
        #expect(hash.hex == hex)
        #expect(hash == AvatarHash(hex: hex))
        #expect(hash.bytes.count == 32 && hash.bytes[1] == 0x11)
        #expect(AvatarHash(bytes: hash.bytes) == hash)
        #expect(AvatarHash(hex: hex.dropFirst(0)) == hash)
    }

    @Test("any other number of bytes is no hash") func bad() {
        for count in [0, 1, 31, 33, 64] { #expect(AvatarHash(bytes: Array(repeating: 7, count: count)) == nil) }
        for text in [
            "", String(hex.dropLast()), String(hex.dropLast(2)), hex + "00", "g" + hex.dropFirst(), hex + "\n",
            hex + ".png",
        ] { #expect(AvatarHash(hex: text) == nil) }
    }
}
