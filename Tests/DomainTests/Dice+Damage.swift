import TestDice

extension Dice {
    /// The text with one to three of its bytes replaced, removed or doubled. New bytes are mostly some that such a text
    /// is made of.
    mutating func damaged(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            guard let place = bytes.indices.randomElement(using: &self) else { break }
            switch Int.random(in: 0..<8, using: &self) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(bytes[place], at: place)
            case 2: bytes[place] = UInt8.random(in: .min ... .max, using: &self)
            default: bytes[place] = Array("0123456789-:.+TtZzW /".utf8).randomElement(using: &self) ?? 0
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
