import Domain
import Foundation
import TestDice
import Testing

@Suite struct UUIDTextTests {
    @Test("what is read and written is what Foundation reads and writes, in lower case", arguments: Dice.seeds(1))
    func agrees(seed: UInt64) {
        var dice = Dice(seed: seed)
        for _ in 0..<500 {
            let id = UUID(
                uuid: (0..<16).reduce(into: UUID().uuid) { uuid, place in
                    let byte = UInt8.random(in: 0...255, using: &dice)
                    withUnsafeMutableBytes(of: &uuid) { $0[place] = byte }
                }
            )
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
        ]
    ) func refuses(_ text: String) { #expect(UUID(text: text) == nil) }
}
