/// The lines of a text file that somebody wrote by hand, on any system.
///
/// LF, CR LF and CR each end a line, and a byte order mark at the start is dropped. The bytes are split, because in
/// Swift CR LF is one Character, which equals neither CR nor LF.
package enum TextLines {
    /// A line that is no text.
    package struct Unreadable: Error, Equatable {
        /// From 1.
        package let number: Int
    }

    /// The lines as text, without their ends. Empty ones are kept, so the index of a line is its number less one.
    /// - Throws: The first line that is not UTF-8 or has a control character other than a tab, as UTF-16 has.
    package static func read(_ bytes: [UInt8]) throws(Unreadable) -> [String] {
        var lines: [String] = []
        for line in split(bytes) {
            guard !line.contains(where: isControl), let text = String(validating: line, as: UTF8.self) else {
                throw Unreadable(number: lines.count + 1)
            }
            lines.append(text)
        }
        return lines
    }

    /// The lines as bytes. What follows the last line end is a line too, if it is not empty.
    package static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes.dropFirst(byteOrderMarkLength(of: bytes))
        while let end = rest.firstIndex(where: { $0 == carriageReturn || $0 == lineFeed }) {
            lines.append(rest[..<end])
            let isPair = rest[end] == carriageReturn && rest.dropFirst(end - rest.startIndex + 1).first == lineFeed
            rest = rest[(end + (isPair ? 2 : 1))...]
        }
        if !rest.isEmpty { lines.append(rest) }
        return lines
    }

    /// 3 when the bytes begin with the byte order mark of UTF-8, else 0.
    package static func byteOrderMarkLength(of bytes: [UInt8]) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")

    private static func isControl(_ byte: UInt8) -> Bool { (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7F }
}
