import Foundation
import TestDice
import Testing

@testable import Domain

@Suite struct Base64Tests {
    private func decoded(_ text: String) -> [UInt8]? { base64Decoded(text.utf8) }

    @Test("RFC 4648's own examples, both ways") func examples() {
        for (plain, text) in [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            #expect(decoded(text) == Array(plain.utf8))
            #expect(base64Encoded(Array(plain.utf8)) == Array(text.utf8))
        }
    }

    @Test("random bytes go there and back, as Foundation writes them", arguments: Dice.seeds(7)) func roundTrip(
        seed: UInt64
    ) {
        var random = Dice(seed: seed)
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = base64Encoded(bytes)
            #expect(text == Array(Data(bytes).base64EncodedString().utf8))
            #expect(base64Decoded(text) == bytes)
            #expect(
                base64Decoded(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }) == bytes,
                "a form made spaces of +")
            #expect(base64Decoded(text.filter { $0 != UInt8(ascii: "=") }) == bytes, "without padding")
            let urlSafe = text.map {
                $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
            }
            #expect(base64Decoded(urlSafe) == bytes)
            let lines = text.enumerated().flatMap { (index, byte) -> [UInt8] in
                index % 76 == 75 ? [byte, 13, 10] : [byte]
            }
            #expect(base64Decoded(lines) == bytes)
            #expect(base64Decoded(Array("data:image/png;base64,".utf8) + text) == bytes)
        }
    }

    @Test(
        "what is no base64 is nil",
        arguments: [
            "Z", "Zm9vY", "Z===", "Zg===", "Zm9v=", "=", "Zg==Zg==", "Zm9v!", "Zm\t9v", "Zm9v\u{0}", "é",
            "data:image/png,Zm9v", "data:;base64", "%2B",
        ]) func refused(_ text: String)
    { #expect(decoded(text) == nil) }

    @Test("one missing sign of two is no matter, nor are line breaks around them") func lenient() {
        #expect(decoded("Zg=") == Array("f".utf8))
        #expect(decoded("\r\nZg=\n=\n") == Array("f".utf8))
        #expect(decoded("data:image/jpeg;charset=x;base64,Zm9v") == Array("foo".utf8))
        #expect(base64Decoded(Array("Zm9v".utf8).lazy.map { $0 }) == Array("foo".utf8), "also from what is no array")
    }
}
