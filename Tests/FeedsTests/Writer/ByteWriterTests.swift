import Testing

@testable import Feeds

@Suite struct ByteWriterTests {
    @Test("a document keeps every piece in its order while it grows", arguments: [0, 1, 64, 100_000]) func growth(
        capacityBytes: Int
    ) {
        var writer = ByteWriter(capacityBytes: capacityBytes)
        var expected = ""
        for number in 0..<5_000 {
            let text = String(repeating: "x", count: number % 130)
            writer.append(Int128(number))
            writer.append("-")
            writer.append(text, in: .json)
            writer.append(UInt8(ascii: "."))
            expected += "\(number)-\(text)."
        }
        writer.append("", in: .json)
        writer.append("")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test("bytes that lie in one piece are the same as bytes that do not") func collections() {
        var writer = ByteWriter(capacityBytes: 0)
        let bytes = Array("cGllY2Vz".utf8)
        writer.append(safe: bytes)
        writer.append(safe: bytes.lazy.map { $0 })
        #expect(writer.bytes == bytes + bytes)
    }
}
