import Domain
import Foundation
import Storage
import TestDatabases
import Testing

// Scores that are held, and what their owner is told of them.
extension TourTests {
    func holds(_ database: TestDatabase) async throws {
        let store = database.store
        try await database.addBoard("trials") { board in
            (board.holdRate, board.holdPace, board.judgeMinutes) = (2, 1_000_000, 5)
        }
        let player = try await database.addPlayer("Held")
        let key = TokenHash(bytes: Array(repeating: 9, count: 32))
        _ = try await store.admin.addKey(key, name: .of("judge"), to: .defaultGame, now: .noon)
        #expect(try await store.findKey(key, now: .noon)?.game == .defaultGame)
        #expect(try await !store.hasHeldScores(player, now: .noon))
        let held = try await database.post(70, by: player, on: "trials")
        #expect(try await store.hasHeldScores(player, now: .noon))
        #expect(held.outcome == .recorded && held.state == .counted && held.best == 70 && held.balance == 70)
        let board = try #require(try await store.findBoard(.of("trials"), in: .defaultGame, now: .noon))
        let place = try #require(try await store.findOwnPlace(of: player, on: board.id, days: nil, now: .noon))
        #expect(place.orderKey == -70 && place.reachedAt == .noon && place.row == player.rawValue)
        #expect(held.own == place)
        let today = board.today...board.today
        #expect(try await store.findOwnPlace(of: player, on: board.id, days: today, now: .noon) == place)
        for days in [nil, today] {
            let own = try await store.findOwnPosition(of: place, on: board.id, lowestFirst: false, days: days)
            #expect(own?.position.position == 1 && own?.position.points == 70 && own?.size == 1)
        }
        #expect(try await database.donate(1, by: player, to: "trees").outcome == .settling)
        let waiting = try await store.admin.heldScores(of: .defaultGame, after: nil, limitRows: 5, now: .noon)
        let item = try #require(waiting.first)
        #expect(waiting.count == 1 && item.score == held.id && item.points == 70 && item.board == "trials")
        #expect(item.judgeUntil == Instant.noon.advanced(bySeconds: 300) && item.player == player)
        #expect(
            try await store.admin.queue(.held, limitRows: 5, withWords: false).isEmpty, "it waits for its game alone")
        let clear = try await store.admin.judge(item.item, of: .defaultGame, .clear, by: key, marker: nil, now: .noon)
        #expect(clear == .done(.counted))
        // The player stands where everybody sees it again, and may ask for a while yet.
        #expect(try await store.findOwnPlace(of: player, on: board.id, days: nil, now: .noon) == place)
        #expect(try await store.top(of: board, days: nil, limitRows: 5).map(\.points) == [70])
        let later = Instant.noon.advanced(bySeconds: 301)
        try await database.post(80, by: player, on: "trials", at: Instant.noon.advanced(bySeconds: 1))
        #expect(try await store.admin.letOverdue(limitRows: 5, now: .noon).freed == 0)
        #expect(try await store.admin.letOverdue(limitRows: 5, now: later).freed == 1)
        #expect(try await store.top(of: board, days: nil, limitRows: 5).map(\.points) == [80])
        #expect(try await store.admin.measureBoards(before: .noon, now: .noon) == 1)
        // The times of whoever was merged into the player count too.
        let other = try await database.addPlayer("second held phone")
        let merge = ModerationAction(.merge(other, into: player), id: UUID(), reason: try ModerationReason("the tour"))
        guard case .done = try await store.admin.perform(merge, by: "cli", now: .noon) else {
            Issue.record("the players are not merged")
            return
        }
        #expect(try await database.post(75, by: player, on: "trials", at: later).outcome == .recorded)
    }
}
