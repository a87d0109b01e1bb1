/// The block of 512 bytes before each part of a tar file, in POSIX's form (`ustar`), so that `tar` opens a backup too.
struct TarHeader: Equatable {
    static let blockBytes = 512

    /// At most 100 bytes of ASCII.
    let name: String
    /// At most 8 GiB, which 11 octal digits have.
    let bytes: Int

    /// How many bytes of zeros follow the content, which ends with a whole block.
    var paddingBytes: Int { (Self.blockBytes - bytes % Self.blockBytes) % Self.blockBytes }

    init(name: String, bytes: Int) { (self.name, self.bytes) = (name, bytes) }

    /// - Parameter seconds: The time of the part, in seconds since 1970.
    func encoded(seconds: Int64) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        put(name, at: 0)
        put("0000600", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(Self.octal(bytes, digits: 11), at: 124)
        put(Self.octal(Int(clamping: max(seconds, 0)), digits: 11), at: 136)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        put(Self.octal(Self.sum(of: block), digits: 6), at: 148)
        block[155] = UInt8(ascii: " ")
        return block
    }

    /// Reads a header that ``encoded(seconds:)`` has made.
    /// - Returns: Nil when it is anything else, as by one changed bit.
    init?(_ block: [UInt8]) {
        guard block.count == Self.blockBytes, let sum = Self.number(block[148..<154]), block[154] == 0,
            block[155] == UInt8(ascii: " "), sum == Self.sum(of: block), block[156] == UInt8(ascii: "0"),
            block[257..<263].elementsEqual("ustar\0".utf8), let bytes = Self.number(block[124..<135])
        else { return nil }
        let name = block[..<100].prefix { $0 != 0 }
        guard !name.isEmpty, name.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        self.init(name: String(decoding: name, as: UTF8.self), bytes: bytes)
    }

    /// The sum of all bytes, those of the sum itself counted as blanks.
    private static func sum(of block: [UInt8]) -> Int {
        block.enumerated().reduce(0) { $0 + Int(148..<156 ~= $1.offset ? UInt8(ascii: " ") : $1.element) }
    }

    private static func octal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 8).suffix(digits)
        return String(repeating: "0", count: digits - text.count) + text
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }
}
