import Credentials
import Domain
import Testing

@Suite struct PlayerCodeTests {
    @Test("codes are drawn from the whole alphabet, and are read back alike", arguments: PlayerCode.Kind.allCases)
    func generated(kind: PlayerCode.Kind) throws {
        var letters: Set<Character> = []
        var texts: Set<String> = []
        for _ in 0..<500 {
            let code = PlayerCode.generated(kind)
            #expect(code.text.count == kind.charactersCount && PlayerCode(typed: code.text, kinds: [kind]) == code)
            letters.formUnion(code.text)
            texts.insert(code.text)
        }
        #expect(letters == Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ") && texts.count == 500)
    }

    @Test(
        "a code is read as people type it",
        arguments: ["7K3M10QX", "7k3m-10qx", " 7 K3 M-l O q x ", "7K3MIOQX", "7K3ML0QX"]) func typed(text: String)
        throws
    { #expect(try #require(PlayerCode(typed: text)).text == "7K3M10QX") }

    @Test(
        "what is none is refused",
        arguments: [
            "", "-", "7K3M10Q", "7K3M10QXX", "7K3M10QU", "7K3M10Qé", "7K3M10Q\u{212A}", "7K3M_0QX", "7K3M10Q\0",
            String(repeating: "A", count: 25), String(repeating: "A", count: 27),
            String(repeating: "-", count: 1 << 20),
        ]) func refused(text: String)
    { #expect(PlayerCode(typed: text) == nil) }

    @Test("a hash is of one game, one kind and one secret; a device's number is another text than its hash")
    func hashes() throws {
        let secret = try #require(Secret(hex: String(repeating: "01", count: 32)))
        let other = try #require(Secret(hex: String(repeating: "02", count: 32)))
        let code = try #require(PlayerCode(typed: "7K3M10QX"))
        let (maze, quiz) = (try #require(Slug("maze")), try #require(Slug("quiz")))
        let friend = try #require(PlayerCode(typed: "7K3M10QX", kinds: [.friend]))
        #expect(secret.hash(of: friend, in: maze) != secret.hash(of: code, in: maze))
        let hashes = [secret.hash(of: code, in: maze), secret.hash(of: code, in: quiz), other.hash(of: code, in: maze)]
        #expect(Set(hashes).count == 3 && hashes.allSatisfy { $0.bytes.count == 32 })
        let device = secret.hash(of: try DeviceLabel("7K3M10QX", field: "id"), in: maze)
        #expect(!hashes.contains { $0.bytes == device.bytes })
        #expect(secret.number(of: device).utf8.count == 32 && secret.number(of: device) != other.number(of: device))
        #expect(!Hex.text(device.bytes).contains(secret.number(of: device)))
    }
}
