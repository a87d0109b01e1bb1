import Domain
import Foundation
import TestDice
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
        ]) func bad(text: String)
    { #expect(Hex.bytes(text) == nil) }

    @Test("exactly the 22 digits have a value") func values() {
        let digits: [(String, UInt8)] = [("0123456789abcdef", 0), ("ABCDEF", 10)]
        var expected: [UInt8: UInt8] = [:]
        for (text, first) in digits {
            for (offset, digit) in text.utf8.enumerated() { expected[digit] = first + UInt8(offset) }
        }
        for byte in UInt8.min...UInt8.max { #expect(Hex.value(byte) == expected[byte]) }
    }
}

@Suite struct UUIDTextTests {
    @Test("what is read and written is what Foundation reads and writes, in lower case", arguments: Dice.seeds(1))
    func agrees(seed: UInt64) {
        var dice = Dice(seed: seed)
        for _ in 0..<500 {
            let id = UUID(
                uuid: (0..<16).reduce(into: UUID().uuid) { uuid, place in
                    let byte = UInt8.random(in: 0...255, using: &dice)
                    withUnsafeMutableBytes(of: &uuid) { $0[place] = byte }
                })
            #expect(id.text == id.uuidString.lowercased())
            #expect(UUID(text: id.uuidString) == id)
            #expect(UUID(text: id.text) == id)
        }
    }

    @Test(
        "nothing else is read",
        arguments: [
            "", "0b6ed5a8", "0b6ed5a86a2c4a449c5f7f8a1d4f1f0e", "0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0",
            "0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e0", "0b6ed5a8+6a2c-4a44-9c5f-7f8a1d4f1f0e",
            "0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0g", "{b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0}",
            "0b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1fé", "-b6ed5a8-6a2c-4a44-9c5f-7f8a1d4f1f0e",
            "0b6ed5a86-a2c-4a44-9c5f-7f8a1d4f1f0e",
        ]) func refuses(_ text: String)
    { #expect(UUID(text: text) == nil) }
}
