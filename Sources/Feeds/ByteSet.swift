/// A set of bytes as 256 bits.
struct ByteSet: Sendable {
    /// 64 bytes each, lowest first.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            let bit: UInt64 = 1 << UInt64(byte & 63)
            switch byte >> 6 {
            case 0: words.0 |= bit
            case 1: words.1 |= bit
            case 2: words.2 |= bit
            default: words.3 |= bit
            }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        let word = byte < 128 ? (byte < 64 ? words.0 : words.1) : (byte < 192 ? words.2 : words.3)
        return word &>> UInt64(byte & 63) & 1 == 1
    }

    /// Whether any byte of the text's UTF-8 is in the set.
    func meets(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { utf8 in utf8.contains { contains($0) } }
    }
}
