/// Numbers at places of a file that may end anywhere: nothing traps, what is not there is nil.
struct ByteView {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// Counted from the start of this view.
    func byte(_ offset: Int) -> UInt8? {
        offset >= 0 && offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
    }

    /// An unsigned number of 1...4 bytes.
    func number(_ offset: Int, lengthBytes: Int, isBigEndian: Bool = true) -> Int? {
        guard let part = part(offset, lengthBytes: lengthBytes) else { return nil }
        var value = 0
        for index in part.indices {
            value = value << 8 | Int(part[isBigEndian ? index : part.endIndex - 1 - (index - part.startIndex)])
        }
        return value
    }

    func part(_ offset: Int, lengthBytes: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, lengthBytes >= 0, offset <= bytes.count, lengthBytes <= bytes.count - offset else { return nil }
        return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + lengthBytes]
    }
}
