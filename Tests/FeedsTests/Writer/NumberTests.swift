import Testing

@testable import Feeds

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
            text.contains(String(Int128.max)) || text.contains("170,141,183,460,469,231,731,687,303,715,884,105,727")
        )
    }
}
