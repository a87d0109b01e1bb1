import Credentials
import Domain
import Foundation
@testable import HTTP
import Storage
import TestDice
import Testing

@Suite struct CursorTests {
    private let secret: Secret

    init() throws { secret = try #require(Secret(hex: String(repeating: "5eed", count: 16))) }

    @Test("a cursor is read as it was written, by whoever has the secret, and looks the same every time")
    func roundTrip() throws {
        let day = Day(daysSince1970: 20_000)
        for days in [nil, day...day.advanced(byDays: 6)] {
            for key in [Int128.min, -1, 0, Int128(Int64.max) * 3, .max] {
                for row in [Int64.min, -5, 7, .max] {
                    let sortKey = SortKey(orderKey: key, reachedAt: Instant(microsecondsSince1970: row), row: row)
                    let cursor = RankingCursor(
                        board: Board.ID(rawValue: 3), window: "2026-W47", days: days, sortKey: sortKey)
                    let text = try #require(secret.cursor(cursor.bytes))
                    #expect(secret.cursor(cursor.bytes) == text)
                    #expect(
                        text.utf8.allSatisfy {
                            $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=")
                        })
                    #expect(RankingCursor(bytes: try secret.cursorBytes(text, field: "after")) == cursor)
                }
            }
        }
        let historyKey = HistoryCursor(
            ledger: .donations, historyKey: HistoryKey(reachedAt: Instant(microsecondsSince1970: 5), id: UUID()))
        let text = try #require(secret.cursor(historyKey.bytes))
        #expect(HistoryCursor(bytes: try secret.cursorBytes(text, field: "after")) == historyKey)
        #expect(RankingCursor(bytes: historyKey.bytes) == nil)
    }

    @Test("another secret's cursor, a changed one and any other text are refused") func forged() throws {
        let sortKey = SortKey(orderKey: 5, reachedAt: Instant(microsecondsSince1970: 5), row: 5)
        let text = try #require(
            secret.cursor(RankingCursor(board: nil, window: "all", days: nil, sortKey: sortKey).bytes))
        let other = try #require(Secret(hex: String(repeating: "0", count: 64)))
        #expect(throws: Problem.self) { try other.cursorBytes(text, field: "after") }
        for index in text.indices {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            // The last letter holds unused bits, which do not make another spelling of the same cursor.
            #expect(throws: Problem.self) { try secret.cursorBytes(changed, field: "after") }
        }
        var dice = Dice(seed: 7)
        for _ in 0..<500 {
            let junk = String(
                (0..<Int.random(in: 0...300, using: &dice)).compactMap { _ in
                    "abzAZ09-_+/= %\u{e9}".randomElement(using: &dice)
                })
            #expect(throws: Problem.self) { try secret.cursorBytes(junk, field: "after") }
        }
        for count in 0..<80 { _ = RankingCursor(bytes: Array(repeating: 255, count: count)) }
    }
}
