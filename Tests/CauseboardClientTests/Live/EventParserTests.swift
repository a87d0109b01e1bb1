import Foundation
import TestDice
import Testing

@testable import CauseboardClient

@Suite struct EventParserTests {
    private let stream = """
        retry: 3000

        event: me\r
        id: a.b\r
        data: {"one":\r
        data:1}\r
        \r
        : a comment
        unknown: field
        data

        id: only an id

        event: me
        data: \u{1F98A}


        """

    private let expected = [
        ServerEvent(name: "me", data: "{\"one\":\n1}", id: "a.b"), ServerEvent(name: "message", data: "", id: nil),
        ServerEvent(name: "me", data: "\u{1F98A}", id: nil),
    ]

    @Test("events are the same however the bytes come", arguments: Dice.seeds(1...5)) func splits(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        for _ in 0..<200 {
            var parser = EventParser()
            var events: [ServerEvent] = []
            var rest = Data(stream.utf8)
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(rest.count, dice.percent(50) ? 2 : 40), using: &dice)
                events += try parser.take(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(events == expected, "seed \(seed)")
        }
    }

    @Test("an event without an end is given up, and many short ones are none") func tooLong() throws {
        var parser = EventParser()
        let short = Data("data: \(String(repeating: "x", count: 1_000))\n\n".utf8)
        for _ in 0..<1_000 { #expect(try parser.take(short).count == 1) }
        let half = Data(repeating: UInt8(ascii: "x"), count: Limits.eventBytesMax / 2)
        #expect(try parser.take(half).isEmpty)
        #expect(try parser.take(half).isEmpty)
        #expect(throws: EventParser.TooLong.self) { try parser.take(half) }
        var lines = EventParser()
        let line = Data("data: \(String(repeating: "x", count: 1_000))\n".utf8)
        #expect(throws: EventParser.TooLong.self) { for _ in 0..<1_000 { _ = try lines.take(line) } }
    }

    @Test("any bytes make events or an error, and no trap", arguments: Dice.seeds(1...5)) func fuzz(seed: UInt64) {
        var dice = Dice(seed: seed)
        for _ in 0..<300 {
            var parser = EventParser()
            let bytes = (0..<Int.random(in: 0...200, using: &dice)).map { _ in
                dice.percent(60)
                    ? dice.pick(Array("data: ide\n\r:ev\u{0}".utf8)) : UInt8.random(in: 0...255, using: &dice)
            }
            _ = try? parser.take(Data(bytes))
        }
    }
}
