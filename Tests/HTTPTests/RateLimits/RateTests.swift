import Domain
import Foundation
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite("rates") struct RateTests {
    @Test(
        "a rate is a count in a unit, and a burst that is the count unless it is given",
        arguments: [
            ("60/min:200", "60/min:200"), ("20/h", "20/h:20"), ("3/day", "3/day:3"), ("10/s:1", "10/s:1"),
            ("67108864/h:16777216", "67108864/h:16777216"), ("1000000/s:1000000", "1000000/s:1000000"),
            ("1/day:366", "1/day:366"),
        ]) func good(_ text: String, _ shown: String) throws
    {
        let rate = try #require(Rate(text))
        #expect(rate.description == shown)
        #expect(Rate(rate.description) == rate)
    }

    @Test(
        "what is no rate, or one that a bucket cannot count, is refused",
        arguments: [
            "", ":", "/", "60", "60/", "/min", "60/min:", "60/min:0", "0/min:5", "-1/min", "60/min:-1", "6.5/min",
            "60/minute", "60/min:5:5", "60/min/h", "1000001/s", "60000001/min", "1000000/s:1073741825", "1/day:367",
            " 60/min", "60 /min", "1e3/s", "9223372036854775808/s", "1/s:99999999999999999999",
            String(repeating: "1", count: 100_000) + "/s",
        ]) func refused(_ text: String)
    { #expect(Rate(text) == nil) }

    @Test("the interval is never shorter than the rate allows") func interval() throws {
        for (text, interval) in [
            ("60/min", 1_000_000_000), ("6000/min", 10_000_000), ("3/day", 28_800_000_000_000), ("3/s", 333_333_334),
            ("999999/s", 1_001), ("1000000/s", 1_000),
        ] as [(String, UInt64)] { #expect(try #require(Rate(text)).interval == interval, "\(text)") }
        let rate = try #require(Rate("3/s:3"))
        #expect(rate.time(of: 1, factor: 8) == 41_666_667 && rate.time(of: 3, factor: 32) == 31_250_001)
    }

    @Test("every limit has a name of its own by which settings find it, and a standard rate") func limits() {
        #expect(Set(RateLimit.allCases.map(\.name)).count == RateLimit.allCases.count)
        for limit in RateLimit.allCases {
            #expect(RateLimit(name: limit.name) == limit)
            #expect(Rate(limit.standard.description) == limit.standard)
        }
        #expect(RateLimit(name: "address") == nil)
        #expect(RateLimit.allCases.map(\.rawValue) == Array(RateLimit.allCases.indices), "counters are found by it")
    }

    @Test("the table in Settings has every limit with its rate, and no other one") func table() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let article = root.appending(path: "Sources/causeboard/Causeboard.docc/Settings.md")
        let section = try #require(
            String(contentsOf: article, encoding: .utf8).components(separatedBy: "## Rate limits\n").last?.components(
                separatedBy: "\n## "
            ).first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let told = rows.map { "\($0[0]) \($0[1]):\($0[2])".replacing(",", with: "").replacing("`", with: "") }
        #expect(told == RateLimit.allCases.map { "\($0.name) \($0.standard)" })
    }
}
