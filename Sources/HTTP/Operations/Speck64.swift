/// The block cipher Speck64/128 (Beaulieu et al., "The Simon and Speck Families of Lightweight Block Ciphers", 2013).
/// It is a keyed permutation of 64 bits: 27 rounds of an addition, two rotations and two exclusive ors. AES has blocks
/// of 128 bits, and a hash of 64 bits may repeat.
struct Speck64: Sendable {
    private static let rounds: UInt32 = 27
    private let keys: [UInt32]

    /// - Parameter key: Its words as the paper prints them, the first one last in use.
    init(key: (UInt32, UInt32, UInt32, UInt32)) {
        var words = [key.2, key.1, key.0]
        var keys = [key.3]
        for round in 0..<Self.rounds - 1 {
            let last = keys[Int(round)]
            let word = (last &+ Self.rotatedRight(words[Int(round)], by: 8)) ^ round
            words.append(word)
            keys.append(Self.rotatedRight(last, by: 29) ^ word)
        }
        self.keys = keys
    }

    static func random() -> Speck64 {
        var dice = SystemRandomNumberGenerator()
        return Speck64(key: (dice.next(), dice.next(), dice.next(), dice.next()))
    }

    func encipher(_ block: UInt64) -> UInt64 {
        var high = UInt32(truncatingIfNeeded: block >> 32)
        var low = UInt32(truncatingIfNeeded: block)
        for key in keys {
            high = (Self.rotatedRight(high, by: 8) &+ low) ^ key
            low = Self.rotatedRight(low, by: 29) ^ high
        }
        return UInt64(high) << 32 | UInt64(low)
    }

    private static func rotatedRight(_ word: UInt32, by bits: UInt32) -> UInt32 {
        word &>> bits | word &<< (32 &- bits)
    }
}
