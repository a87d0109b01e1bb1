import Domain
import Testing

@Suite struct HexTests {
    @Test("a byte is two lower-case digits") func text() {
        #expect(Hex.text([]) == "")
        #expect(Hex.text([0x00, 0x09, 0x0A, 0x0F, 0x10, 0x99, 0xA0, 0xFF]) == "00090a0f1099a0ff")
    }

    @Test("every byte is read back, in either case") func roundTrip() {
        let all = Array(UInt8.min...UInt8.max)
        #expect(Hex.bytes(Hex.text(all)) == all)
        #expect(Hex.bytes(Hex.text(all).uppercased()) == all)
        #expect(Hex.bytes("aBcD") == [0xAB, 0xCD])
        #expect(Hex.bytes("") == [])
    }

    @Test(
        "what is not pairs of digits is nil",
        arguments: [
            "0", "000", "0g", "g0", "0x00", " 00", "00 ", "0 0", "-1", "+1", "００", "é", "0\u{301}", "\0\0", "/0", ":0",
            "@0", "`0",
        ]
    ) func bad(text: String) { #expect(Hex.bytes(text) == nil) }

    @Test("exactly the 22 digits have a value") func values() {
        let digits: [(String, UInt8)] = [("0123456789abcdef", 0), ("ABCDEF", 10)]
        var expected: [UInt8: UInt8] = [:]
        for (text, first) in digits {
            for (offset, digit) in text.utf8.enumerated() { expected[digit] = first + UInt8(offset) }
        }
        for byte in UInt8.min...UInt8.max { #expect(Hex.value(byte) == expected[byte]) }
    }
}
