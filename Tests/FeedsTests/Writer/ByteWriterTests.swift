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

@Suite struct NumberTests {
    private func written(_ write: (inout ByteWriter) -> Void) -> String {
        var writer = ByteWriter(capacityBytes: 0)
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("integers are exact at the ends of every width") func extremes() {
        var numbers: [Int128] = [.min, .max, 0, -1, 1, 9, 10, 99, 100, 999, 1_000]
        for end in [Int128(Int32.min), Int128(Int64.min), Int128(Int64.max), Int128(UInt64.max)] {
            numbers += [end - 1, end, end + 1]
        }
        var power: Int128 = 1
        for _ in 0..<38 {
            power *= 10
            numbers += [power - 1, power, -power]
        }
        for number in numbers { #expect(written { $0.append(number) } == String(number)) }
    }

    @Test("people get commas between thousands") func grouped() {
        for (number, text) in [
            (0, "0"), (999, "999"), (1_000, "1,000"), (-999, "-999"), (-1_000, "-1,000"), (1_234_567, "1,234,567"),
        ] { #expect(written { $0.append(Int128(number), grouped: true) } == text) }
        let widest = written { $0.append(.min, grouped: true) }
        #expect(widest.filter { $0 != "," } == String(Int128.min))
    }

    @Test("tenths have one decimal") func tenths() {
        for (tenths, text) in [(0, "0.0"), (975, "97.5"), (-5, "-0.5"), (-10, "-1.0"), (1_000, "100.0")]
            as [(Int128, String)]
        { #expect(written { $0.append(tenths: tenths) } == text) }
        #expect(written { $0.append(tenths: .min) } == "-17014118346046923173168730371588410572.8")
    }

    @Test("the widest sums are exact in every format", arguments: FeedFormat.allCases) func widestSum(
        _ format: FeedFormat
    ) {
        let feed = Samples.topScores([.init(name: "x", points: .max)])
        let text = String(decoding: feed.bytes(format, links: Samples.links), as: UTF8.self)
        #expect(
            text.contains(String(Int128.max)) || text.contains("170,141,183,460,469,231,731,687,303,715,884,105,727"))
    }
}
